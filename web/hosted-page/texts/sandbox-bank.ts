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
