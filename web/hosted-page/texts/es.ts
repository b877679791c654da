import type { Texts } from './en.ts';

export const es: Texts = {
  service: 'Pago de factura',
  sandbox: 'Modo de prueba: no se mueve dinero',
  reasons: {
    insufficient_funds: 'No había suficiente dinero en la cuenta.',
    account_closed: 'La cuenta bancaria está cerrada.',
    account_not_found: 'El banco no encontró esta cuenta.',
    debit_not_authorized: 'El banco informó que este débito no estaba autorizado.',
    account_frozen: 'El banco restringió esta cuenta.',
    bank_declined: 'El banco rechazó el pago.',
    processor_error: 'No se pudo procesar el pago.',
  },
  notices: {
    bank_unavailable: 'No podemos comunicarnos con el banco en este momento. Inténtelo de nuevo en unos minutos.',
    bank_not_connected: 'Su banco ya no está conectado. Conéctelo de nuevo.',
    authorization_changed: 'La autorización cambió. Léala de nuevo antes de autorizar el pago.',
    practice_suspended: 'Por ahora, este consultorio no recibe pagos en esta página. Comuníquese con el consultorio.',
    bank_connection_locked: 'Demasiados intentos de inicio de sesión. Ya no puede conectar otra cuenta aquí.',
    checking_payment: 'No pudimos confirmar su pago. Verificando…',
    payment_not_seen: 'Aún no vemos su pago. Puede autorizarlo de nuevo: nunca se cobra dos veces.',
    unreachable: 'Se perdió la conexión. Inténtelo de nuevo.',
    busy: 'El servicio de pagos está ocupado. Inténtelo de nuevo en unos segundos.',
  },
  otherNotice: 'No funcionó. Inténtelo de nuevo.',
  attemptsLeft: (attempts) => (attempts === 1 ? 'Le queda 1 intento.' : `Le quedan ${attempts} intentos.`),
  returnTo: (practice) => `Volver a ${practice}`,
  noMoneyTaken: 'No se ha cobrado nada.',
  offline: 'No tiene conexión a internet. Esta página continuará sola cuando vuelva la conexión.',

  contact: {
    notExpecting: '¿No esperaba este cobro?',
    questions: '¿Tiene preguntas?',
    call: 'Llame al',
    write: 'Escriba a',
    or: 'o escriba a',
    ask: (practice) => `Comuníquese con ${practice}.`,
    check: 'Si tiene dudas, use el número que aparece en su factura o en el sitio web del consultorio.',
  },

  timeLeft: {
    link: (duration, lifetime) => `Este enlace sirve por ${duration} más; una vez que empiece, tendrá ${lifetime}.`,
    finish: (duration) => `Tiempo restante para terminar: ${duration}.`,
    underAMinute: 'menos de un minuto',
    days: ['día', 'días'],
    hours: ['hora', 'horas'],
    minutes: ['minuto', 'minutos'],
    ending: (practice) => `Después, pida un nuevo enlace a ${practice}.`,
    fiveMinutes: 'Quedan menos de 5 minutos para terminar.',
    oneMinute: 'Queda menos de 1 minuto para terminar.',
  },

  owed: {
    heading: (practice) => `Pague a ${practice}`,
    invoice: 'Factura',
    patient: 'Paciente',
    connect: 'Pagar desde su cuenta bancaria',
    how: 'No necesita tarjeta.',
    next: 'No se le cobrará nada hasta que autorice el pago al final.',
    stepsHeading: 'Qué sigue',
    steps: (amount) => [`Revise los datos y autorice un pago ACH de ${amount}.`, 'Imprima o guarde su comprobante.'],
  },

  review: {
    heading: 'Revise y autorice',
    amount: 'Monto',
    patient: 'Paciente',
    bank: 'Desde',
    authorization: 'Su autorización',
    readAll: 'Leer toda la autorización',
    authorize: (amount) => `Autorizar el pago de ${amount}`,
    authorizing: 'Enviando…',
    checking: 'Verificando…',
    otherAccount: 'Usar otra cuenta',
  },

  submitted: {
    heading: 'Pago enviado',
    wait: 'Su banco suele tardar unos 4 días hábiles en completarlo. Puede cerrar esta página: el consultorio recibirá el resultado.',
  },
  paid: { heading: 'Pagado', thanks: (practice) => `Gracias. ${practice} recibió su pago.` },
  returned: {
    heading: 'Su banco devolvió este pago',
    next: (practice) => `${practice} ya no tiene este dinero. Comuníquese con el consultorio para saber qué hacer.`,
  },
  failed: {
    heading: 'El pago no se completó',
    next: (practice) => `Para intentarlo de nuevo, pida un nuevo enlace a ${practice}.`,
  },
  notRequired: {
    heading: 'Este pago ya no es necesario',
    next: (practice) => `${practice} canceló esta solicitud de pago. Usted no tiene que hacer nada.`,
  },
  expired: {
    heading: 'Este enlace venció',
    next: (practice) => `Pida un nuevo enlace a ${practice}.`,
  },
  alreadyPaid: {
    heading: 'Esta factura ya está pagada',
    next: 'Usted no tiene que hacer nada. No se cobrará nada por medio de este enlace.',
  },
  paymentInProgress: {
    heading: 'Ya hay un pago en curso de esta factura',
    next: 'No puede pagar aquí mientras se procesa otro pago de esta factura. Si ese pago no se completa, podrá pagar en esta página.',
  },
  suspended: {
    heading: 'Por el momento no puede pagar aquí',
    next: 'No se ha cobrado nada. Por ahora, este consultorio no recibe pagos en esta página. Comuníquese con el consultorio para pagar de otra forma.',
  },
  scrubbed: {
    heading: 'Los datos de este pago se eliminaron',
    next: (practice) => `Este enlace ya no los muestra. Si tiene alguna pregunta, comuníquese con ${practice}.`,
  },
  locked: {
    heading: 'Demasiados intentos de inicio de sesión',
    next: (practice) =>
      `Ya no puede iniciar sesión en esta página. Comuníquese con ${practice} para pedir un nuevo enlace u otra forma de pago.`,
  },
  unknownLink: {
    heading: 'No encontramos este enlace',
    next: 'Revise que haya abierto el enlace completo. Si aún no funciona, comuníquese con el consultorio que se lo envió.',
  },
  offlineView: {
    heading: 'No tiene conexión a internet',
    next: 'Esta página continuará sola cuando vuelva la conexión. Si acaba de autorizar un pago, mostrará qué pasó con él; nunca se cobra dos veces.',
  },
  serviceBusy: {
    heading: 'El servicio de pagos está ocupado',
    next: 'Esta página lo intentará de nuevo sola en unos segundos. Si acaba de autorizar un pago, mostrará qué pasó con él; nunca se cobra dos veces.',
  },
  unreachable: {
    heading: 'No podemos conectarnos con el servicio de pagos',
    next: 'Revise su conexión. Si acaba de autorizar un pago, al intentarlo de nuevo verá qué pasó con él; nunca se cobra dos veces.',
    retry: 'Intentar de nuevo',
    retrying: 'Intentando…',
  },

  receipt: {
    heading: 'Comprobante de pago',
    headingUnpaid: 'Detalles del pago',
    status: 'Estado',
    amount: 'Monto',
    practice: 'A favor de',
    contact: 'Contacto',
    invoice: 'Factura',
    patient: 'Paciente',
    bank: 'Desde',
    authorizedAt: 'Autorizado',
    expectedDebit: 'Débito previsto',
    statementText: 'En su estado de cuenta',
    number: 'Número de comprobante',
    authorization: 'Lo que usted autorizó',
    print: 'Imprimir o guardar como PDF',
    itemized: (practice) =>
      `Para un reembolso de su cuenta FSA o HSA, pida a ${practice} un estado de cuenta detallado.`,
    states: {
      submitted: (time) => `Enviado el ${time}; suele tardar 4 días hábiles`,
      paid: (time) => `Pagado el ${time}`,
      returned: (time) => `Devuelto por su banco el ${time}`,
      failed: (time) => `No se completó (${time}); no se cobró nada`,
      cancelled: (time) => `Cancelado el ${time}; no se cobró nada`,
    },
  },
  accountTypes: { checking: 'cuenta de cheques', savings: 'cuenta de ahorros' },
};
