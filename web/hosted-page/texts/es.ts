import type { Texts } from './en.ts';

export const es: Texts = {
  service: 'Pago de factura',
  sandbox: 'Modo de prueba: no se cobrará nada',
  reasons: {
    insufficient_funds: 'No había suficiente dinero en la cuenta.',
    account_closed: 'La cuenta bancaria está cerrada.',
    account_not_found: 'El banco no encontró esta cuenta.',
    debit_not_authorized: 'El banco informó que este débito no estaba autorizado.',
    account_frozen: 'El banco restringió esta cuenta.',
    bank_declined: 'El banco rechazó el pago.',
    processor_error: 'No se pudo procesar el pago.',
    account_unusable: 'No se puede usar esta cuenta bancaria.',
    practice_account_restricted: 'El consultorio no puede recibir este pago en este momento.',
    processor_limit_exceeded: 'El monto es demasiado alto para un solo pago aquí.',
    authorization_invalid: 'No se pudo usar su autorización.',
    authorization_expired: 'Su autorización venció antes de que pudiéramos enviar el pago.',
  },
  notices: {
    bank_unavailable: 'En este momento no podemos comunicarnos con este banco. Inténtelo de nuevo en unos minutos.',
    bank_not_connected: 'Su banco ya no está conectado. Conéctelo de nuevo.',
    authorization_changed: 'La autorización cambió. Léala de nuevo antes de autorizar el pago.',
    bank_connection_locked: 'Demasiados intentos de inicio de sesión. Ya no puede conectar otra cuenta aquí.',
    checking_payment: 'No pudimos confirmar su pago. Verificando…',
    invalid_request: 'Revise el nombre del titular de la cuenta bancaria.',
    payment_not_seen: 'No hemos recibido su pago. Puede autorizarlo de nuevo. No se le cobrará dos veces.',
    unreachable: 'Se perdió la conexión. Inténtelo de nuevo.',
    busy: 'El servicio de pagos está ocupado. Inténtelo de nuevo en unos segundos.',
  },
  otherNotice: 'No funcionó. Inténtelo de nuevo.',
  attemptsLeft: (attempts) => (attempts === 1 ? 'Le queda 1 intento.' : `Le quedan ${attempts} intentos.`),
  returnTo: (practice) => `Volver a ${practice}`,
  noMoneyTaken: 'No se ha cobrado nada.',
  offline: 'No tiene conexión a internet. Esta página se actualizará sola cuando vuelva la conexión.',
  operator: (operator, practice) => `${operator || 'Un servicio de pagos'} administra esta página para ${practice}.`,
  legal: { privacy: 'Privacidad', terms: 'Términos', accessibility: 'Accesibilidad' },
  ofPractice: (page) => `${page} del consultorio`,
  amountToPay: 'Monto a pagar',

  contact: {
    real: '¿Duda que esto sea real?',
    check: 'Llame al número que aparece en su factura o en el sitio web del consultorio.',
    noOnlineBanking: '¿No usa la banca en línea?',
    otherWays: 'para pagar de otra forma',
    questions: '¿Tiene preguntas?',
    call: 'Llame al',
    callButton: 'Llamar al',
    write: 'Escriba a',
    or: 'o escriba a',
    ask: 'Llame al número que aparece en su factura.',
  },

  timeLeft: {
    link: (deadline, lifetime) => `Este enlace vence el ${deadline}; al empezar, tendrá ${lifetime}.`,
    finish: (duration) => `Tiene ${duration} para terminar.`,
    underAMinute: 'menos de un minuto',
    days: ['día', 'días'],
    hours: ['hora', 'horas'],
    minutes: ['minuto', 'minutos'],
    ending: (practice) => `Después, pida un nuevo enlace a ${practice}.`,
    fiveMinutes: 'Quedan menos de 5 minutos para terminar.',
    oneMinute: 'Queda menos de 1 minuto para terminar.',
    mayAsk: 'Puede pedir más tiempo.',
    extend: 'Necesito más tiempo',
    extended: (deadline) => `Tiene hasta el ${deadline}`,
  },

  owed: {
    heading: (practice) => `Pague a ${practice}`,
    invoice: 'Factura',
    patient: 'Paciente',
    connect: 'Pagar desde su cuenta bancaria',
    how: 'Un solo pago por transferencia bancaria (ACH). No necesita tarjeta.',
    next: 'No se le cobrará nada hasta que autorice el pago al final.',
    stepsHeading: 'Qué sigue',
    steps: (amount) => [`Revise los datos y autorice un pago ACH de ${amount}.`, 'Imprima o guarde su comprobante.'],
  },

  review: {
    heading: 'Revise y autorice',
    payTo: 'Pagar a',
    payFrom: 'Cuenta de origen',
    payer: 'Titular de la cuenta bancaria',
    debitDate: 'Fecha del débito',
    orLater: (date) => `${date} o después`,
    authorization: 'Su autorización',
    readAll: 'Leer toda la autorización',
    authorize: (amount) => `Autorizar el pago de ${amount}`,
    authorizing: 'Enviando…',
    checking: 'Verificando…',
    otherAccount: 'Usar otra cuenta',
  },

  copy: {
    ask: 'Enviarme una copia por correo (opcional)',
    hint: 'Usamos su dirección solo para este correo y no la guardamos.',
    sent: 'Le enviamos por correo una copia de su autorización.',
    failed: 'No pudimos enviarle la copia. Imprima o guarde esta página.',
  },

  submitted: {
    heading: 'Pago enviado',
    wait: 'Suele tardar unos 4 días hábiles. Puede cerrar esta página. Abra este enlace de nuevo para ver si el pago se completó.',
  },
  paid: {
    heading: (amount) => `Usted pagó ${amount}`,
    thanks: (practice) => `Gracias. ${practice} recibió su pago.`,
    keep: (date) => `Puede abrir este enlace de nuevo hasta el ${date} para ver su comprobante.`,
  },
  refunded: {
    heading: 'Le reembolsaron su pago',
    pendingHeading: 'Su reembolso está en camino',
    wait: 'Puede tardar hasta 10 días hábiles en llegar a su cuenta bancaria.',
    next: (practice) =>
      `Esta página ya no sirve como comprobante. Si tiene alguna pregunta, comuníquese con ${practice}.`,
  },
  returned: {
    heading: 'Su banco devolvió este pago',
    next: (practice) => `${practice} ya no tiene este dinero. Comuníquese con el consultorio para saber qué hacer.`,
  },
  failed: {
    heading: 'Su pago no se completó',
    next: (practice) => `Para intentarlo de nuevo, pida un nuevo enlace a ${practice}.`,
  },
  notRequired: {
    heading: 'Este pago ya no es necesario',
    next: (practice) => `${practice} canceló esta solicitud de pago. Usted no tiene que hacer nada.`,
  },
  expired: {
    heading: 'Este enlace venció',
    next: (practice) => `Pida un nuevo enlace a ${practice}.`,
    ask: 'Pedir un nuevo enlace',
    asking: 'Enviando…',
  },
  linkRequested: {
    heading: (practice) => `Le avisamos a ${practice}`,
    next: (practice) =>
      `Ya saben que usted necesita un nuevo enlace para pagar. Si no recibe noticias en uno o dos días, comuníquese con ${practice}.`,
  },
  alreadyPaid: {
    heading: 'Esta factura ya está pagada',
    next: 'Usted no tiene que hacer nada. No se le cobrará nada por medio de este enlace.',
  },
  paymentInProgress: {
    heading: 'Ya hay un pago en curso para esta factura',
    next: 'Se está procesando otro pago para esta factura. Si ese pago no se completa, podrá pagar aquí.',
  },
  suspended: {
    heading: 'Por el momento no puede pagar aquí',
    next: (practice) =>
      `Por ahora, este consultorio no recibe pagos en esta página. Pregunte a ${practice} cómo pagar de otra forma.`,
  },
  scrubbed: {
    heading: 'Los datos de este pago se eliminaron',
    next: (practice) => `Este enlace ya no los muestra. Si tiene alguna pregunta, comuníquese con ${practice}.`,
  },
  locked: {
    heading: 'Demasiados intentos de inicio de sesión',
    next: (practice) =>
      `El inicio de sesión en esta página está bloqueado. Pida a ${practice} un nuevo enlace u otra forma de pago.`,
  },
  unknownLink: {
    heading: 'No encontramos este enlace',
    next: 'Revise que haya abierto el enlace completo o busque uno más reciente. Si aún no funciona, llame al consultorio al número que aparece en su factura.',
  },
  offlineView: {
    heading: 'No tiene conexión a internet',
    next: 'Esta página se actualizará sola cuando vuelva la conexión. Si acaba de autorizar un pago, mostraremos si se completó. No se le cobrará dos veces.',
  },
  serviceBusy: {
    heading: 'El servicio de pagos está ocupado',
    next: 'Seguiremos intentándolo. Si acaba de autorizar un pago, mostraremos si se completó. No se le cobrará dos veces.',
  },
  unreachable: {
    heading: 'No podemos conectarnos con el servicio de pagos',
    next: 'Revise su conexión. Si acaba de autorizar un pago, inténtelo de nuevo aquí para ver si se completó. No se le cobrará dos veces.',
    retry: 'Intentar de nuevo',
    retrying: 'Intentando…',
  },

  receipt: {
    heading: 'Comprobante de pago',
    confirmation: 'Confirmación del pago enviado',
    details: 'Detalles del pago',
    status: 'Estado',
    amount: 'Monto',
    paidTo: 'Pagado a',
    paidFrom: 'Pagado desde',
    authorizedAt: 'Autorizado',
    statementText: 'En su estado de cuenta',
    number: 'Número de referencia',
    print: 'Imprimir o guardar como PDF',
    share: 'Compartir',
    itemized: (practice) =>
      `Para un reembolso de su cuenta FSA o HSA, pida a ${practice} un estado de cuenta detallado.`,
    states: {
      submitted: (time) => `En proceso. Enviado el ${time}; suele tardar 4 días hábiles`,
      paid: (time) => `Pagado el ${time}`,
      refunded: (amount, time) => `Se reembolsaron ${amount} el ${time}`,
      refundPending: (amount, time) => `Un reembolso de ${amount} está en camino desde el ${time}`,
      returned: (time) => `Devuelto por su banco el ${time}`,
      failed: (time) => `Falló el ${time}. No se cobró nada.`,
      cancelled: (time) => `Cancelado el ${time}. No se cobró nada.`,
    },
  },
  accounts: {
    checking: (bank, last4) => `cuenta de cheques de ${bank} terminada en ${last4}`,
    savings: (bank, last4) => `cuenta de ahorros de ${bank} terminada en ${last4}`,
  },
};
