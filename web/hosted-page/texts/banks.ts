export const sandboxBankEn = {
  bankConnectionFailed: 'The bank did not accept this test user and test password.',
  testOnly: 'Never use a real bank sign-in here.',
  step: 'Choose your bank and sign in.',
  chooseHeading: 'Choose your bank',
  signInHeading: (bank: string) => `Sign in to ${bank}`,
  why: 'Sign in to choose the account to pay from. We never store your username or password.',
  user: 'Test user',
  password: 'Test password',
  submit: 'Sign in',
  submitting: 'Signing in…',
  otherBank: 'Choose another bank',
  back: 'Back',
};

export const sandboxBankEs: typeof sandboxBankEn = {
  bankConnectionFailed: 'El banco no aceptó este usuario y contraseña de prueba.',
  testOnly: 'Nunca use aquí los datos de un banco real.',
  step: 'Elija su banco e inicie sesión.',
  chooseHeading: 'Elija su banco',
  signInHeading: (bank) => `Inicie sesión en ${bank}`,
  why: 'Inicie sesión para elegir la cuenta desde la que pagará. Nunca guardamos su usuario ni su contraseña.',
  user: 'Usuario de prueba',
  password: 'Contraseña de prueba',
  submit: 'Iniciar sesión',
  submitting: 'Iniciando sesión…',
  otherBank: 'Elegir otro banco',
  back: 'Volver',
};

export const bankPickerEn = {
  step: 'Choose your bank and sign in, with Stripe.',
  about:
    'Stripe, a payment company, connects your bank. You sign in with your bank. We never see your username or password.',
  terms: "Stripe's terms",
  privacy: "Stripe's privacy policy",
  otherBrowser:
    'Opened this link in another app? Open it in your phone\'s browser: choose "Open in browser" in the app\'s menu, or copy the link into Safari or Chrome.',
  copyLink: 'Copy link',
  copied: 'Link copied',
  notices: {
    picking_bank: 'Connecting your bank…',
    picker_silent: 'Did nothing open? Try again. If you are already signing in to your bank, just continue.',
    picker_closed: 'No bank account was connected. You can try again.',
    picker_failed: 'Your bank could not be connected. Try again, or choose another bank.',
    picker_unavailable:
      'We could not open Stripe, which connects your bank. Check your connection, turn off content blockers for this page, and try again. Or ask the practice for another way to pay.',
    bank_connection_failed: 'This account could not be connected. Try another one.',
  },
};

export const bankPickerEs: typeof bankPickerEn = {
  step: 'Elija su banco e inicie sesión, con Stripe.',
  about:
    'Stripe, una empresa de pagos, conecta su banco. Usted inicia sesión con su banco. Nunca vemos su usuario ni su contraseña.',
  terms: 'Términos de Stripe',
  privacy: 'Política de privacidad de Stripe',
  otherBrowser:
    '¿Abrió este enlace en otra aplicación? Ábralo en el navegador de su teléfono: elija «Abrir en el navegador» en el menú de la aplicación, o copie el enlace en Safari o Chrome.',
  copyLink: 'Copiar enlace',
  copied: 'Enlace copiado',
  notices: {
    picking_bank: 'Conectando su banco…',
    picker_silent: '¿No se abrió nada? Inténtelo de nuevo. Si ya está iniciando sesión en su banco, continúe.',
    picker_closed: 'No se conectó ninguna cuenta bancaria. Puede intentarlo de nuevo.',
    picker_failed: 'No se pudo conectar su banco. Inténtelo de nuevo o elija otro banco.',
    picker_unavailable:
      'No pudimos abrir Stripe, que conecta su banco. Revise su conexión, desactive los bloqueadores de contenido en esta página e inténtelo de nuevo. O pida al consultorio otra forma de pago.',
    bank_connection_failed: 'No se pudo conectar esta cuenta. Pruebe con otra.',
  },
};
