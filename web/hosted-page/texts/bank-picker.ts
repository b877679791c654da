export const bankPickerEn = {
  step: 'Choose your bank and sign in, with Stripe.',
  about: 'Stripe connects your bank. We never see your bank sign-in.',
  terms: "Stripe's terms",
  privacy: "Stripe's privacy policy",
  notices: {
    picking_bank: 'Connecting your bank…',
    picker_closed: 'No bank account was connected. You can try again anytime.',
    picker_failed: 'Your bank could not be connected. Try again, or choose another bank.',
    picker_unavailable:
      'We could not open Stripe, which connects your bank. Check your connection, turn off content blockers for this page, and try again. Or ask the practice for another way to pay.',
    bank_connection_failed: 'This account could not be connected. Try another one.',
  },
};

export const bankPickerEs: typeof bankPickerEn = {
  step: 'Elija su banco e inicie sesión, con Stripe.',
  about: 'Stripe conecta su banco. Nunca vemos sus datos de acceso.',
  terms: 'Términos de Stripe',
  privacy: 'Política de privacidad de Stripe',
  notices: {
    picking_bank: 'Conectando su banco…',
    picker_closed: 'No se conectó ninguna cuenta bancaria. Puede intentarlo de nuevo cuando quiera.',
    picker_failed: 'No se pudo conectar su banco. Inténtelo de nuevo o elija otro banco.',
    picker_unavailable:
      'No pudimos abrir Stripe, que conecta su banco. Revise su conexión, desactive los bloqueadores de contenido en esta página e inténtelo de nuevo. O pida al consultorio otra forma de pago.',
    bank_connection_failed: 'No se pudo conectar esta cuenta. Pruebe con otra.',
  },
};
