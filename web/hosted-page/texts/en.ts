import type { SessionView } from '../../../functions/contract/sessions/session-view.ts';
import type { NoticeName } from '../page-state.ts';

type FailureCode = NonNullable<SessionView['failure']>['code'];

const reasons: Record<FailureCode, string> = {
  insufficient_funds: 'There was not enough money in the account.',
  account_closed: 'The bank account is closed.',
  account_not_found: 'The bank could not find this account.',
  debit_not_authorized: 'The bank reported that this debit was not authorized.',
  account_frozen: 'The bank has restricted this account.',
  bank_declined: 'The bank declined the payment.',
  processor_error: 'The payment could not be processed.',
  account_unusable: 'This bank account cannot be used.',
  practice_account_restricted: 'The practice cannot take this payment right now.',
  processor_limit_exceeded: 'The amount is too large for one payment here.',
  authorization_invalid: 'Your authorization could not be used.',
  authorization_expired: 'Your authorization became too old before we could send the payment.',
};

/** Do not say that nothing was paid: only the server knows. */
const notices = {
  bank_unavailable: "We can't reach this bank right now. Please try again in a few minutes.",
  bank_not_connected: 'Your bank is no longer connected. Please connect it again.',
  authorization_changed: 'The authorization has changed. Please read it again before you authorize the payment.',
  bank_connection_locked: 'Too many sign-in attempts. You can no longer connect another account here.',
  checking_payment: 'We could not confirm your payment. Checking…',
  invalid_request: 'Please check the name on the bank account.',
  payment_not_seen: "We haven't received your payment. You can authorize it again. You won't be charged twice.",
  unreachable: 'The connection was lost. Please try again.',
  busy: 'The payment service is busy. Please try again in a few seconds.',
} satisfies Partial<Record<NoticeName, string>>;

export const en = {
  service: 'Invoice payment',
  sandbox: 'Test mode: no money will move',
  reasons,
  notices,
  otherNotice: 'That did not work. Please try again.',
  attemptsLeft: (attempts: number) => (attempts === 1 ? 'You have 1 try left.' : `You have ${attempts} tries left.`),
  returnTo: (practice: string) => `Return to ${practice}`,
  noMoneyTaken: 'No money has been taken.',
  offline: "You are offline. This page will update when you're back online.",
  operator: (operator: string, practice: string) =>
    `${operator || 'A payment service'} runs this page for ${practice}.`,
  legal: { privacy: 'Privacy policy', terms: 'Terms', accessibility: 'Accessibility' },
  ofPractice: (page: string) => `The practice's ${page.toLowerCase()}`,
  amountToPay: 'Amount to pay',

  contact: {
    /** A forged page can show a forged phone number. */
    real: 'Not sure this is real?',
    check: "Call the number on your bill or on the practice's website.",
    noOnlineBanking: 'No online banking?',
    otherWays: 'for other ways to pay',
    questions: 'Questions?',
    call: 'Call',
    callButton: 'Call',
    write: 'Write to',
    or: 'or write to',
    ask: 'Call the number on your bill.',
  },

  timeLeft: {
    link: (deadline: string, lifetime: string) => `Pay by ${deadline}. Once you start, you'll have ${lifetime}.`,
    finish: (duration: string) => `You have ${duration} left to finish.`,
    underAMinute: 'less than a minute',
    days: ['day', 'days'],
    hours: ['hour', 'hours'],
    minutes: ['minute', 'minutes'],
    ending: (practice: string) => `After that, ask ${practice} for a new link.`,
    fiveMinutes: 'Less than 5 minutes left to finish.',
    oneMinute: 'Less than 1 minute left to finish.',
    mayAsk: 'You can ask for more time.',
    extend: 'I need more time',
    extended: (deadline: string) => `You now have until ${deadline}.`,
  },

  owed: {
    heading: (practice: string) => `Pay ${practice}`,
    invoice: 'Invoice',
    patient: 'Patient',
    connect: 'Pay from your bank account',
    how: 'One payment by bank transfer (ACH). No card needed.',
    next: "You won't be charged until you authorize the payment at the end.",
    stepsHeading: 'What happens next',
    steps: (amount: string) => [
      `Check the details and authorize one ACH payment of ${amount}.`,
      'Get a receipt to print or save.',
    ],
  },

  review: {
    heading: 'Review and authorize',
    payTo: 'Pay to',
    payFrom: 'Pay from',
    payer: 'Name on the bank account',
    debitDate: 'Debit date',
    orLater: (date: string) => `${date} or later`,
    authorization: 'Your authorization',
    readAll: 'Read the whole authorization',
    authorize: (amount: string) => `Authorize payment of ${amount}`,
    authorizing: 'Sending…',
    checking: 'Checking…',
    otherAccount: 'Use another account',
  },

  copy: {
    ask: 'Email me a copy (optional)',
    hint: 'We use your address for this one email and do not keep it.',
    sent: 'We emailed you a copy of your authorization.',
    failed: 'We could not email your copy. Please print or save this page instead.',
  },

  submitted: {
    heading: 'Payment submitted',
    wait: 'It usually takes about 4 business days. You can close this page. Open this link again to see whether it went through.',
  },
  paid: {
    heading: (amount: string) => `You paid ${amount}`,
    thanks: (practice: string) => `Thank you. ${practice} has received your payment.`,
    keep: (date: string) => `Open this link again until ${date} to see your receipt.`,
  },
  refunded: {
    heading: 'Your payment was refunded',
    pendingHeading: 'Your refund is on its way',
    wait: 'It can take up to 10 business days to reach your bank account.',
    next: (practice: string) => `This page is not a receipt anymore. If you have a question, contact ${practice}.`,
  },
  returned: {
    heading: 'Your bank took this payment back',
    next: (practice: string) => `${practice} no longer has this money. Please contact them about what to do next.`,
  },
  failed: {
    heading: 'Your payment did not go through',
    next: (practice: string) => `To try again, ask ${practice} for a new link.`,
  },
  notRequired: {
    heading: 'Payment no longer required',
    next: (practice: string) => `${practice} has cancelled this payment request. You don't need to do anything.`,
  },
  expired: {
    heading: 'This link has expired',
    next: (practice: string) => `Ask ${practice} for a new link.`,
    ask: 'Ask for a new link',
    asking: 'Sending…',
  },
  linkRequested: {
    heading: (practice: string) => `We told ${practice}`,
    next: (practice: string) =>
      `They know that you need a new link to pay. If you don't hear from them in a day or two, contact ${practice}.`,
  },
  alreadyPaid: {
    heading: 'This invoice is already paid',
    next: "You don't need to do anything. You won't be charged through this link.",
  },
  paymentInProgress: {
    heading: 'A payment for this invoice is already in progress',
    next: "Another payment for this invoice is being processed. If it doesn't go through, you can pay here.",
  },
  suspended: {
    heading: 'You cannot pay here right now',
    next: (practice: string) =>
      `This practice isn't taking payments on this page right now. Ask ${practice} for another way to pay.`,
  },
  scrubbed: {
    heading: 'The details of this payment were removed',
    next: (practice: string) => `This link no longer shows them. If you have a question, ask ${practice}.`,
  },
  locked: {
    heading: 'Too many sign-in attempts',
    next: (practice: string) => `Sign-in on this page is locked. Ask ${practice} for a new link or another way to pay.`,
  },
  unknownLink: {
    heading: 'We cannot find this link',
    next: 'Check that you opened the whole link, or look for a newer one. If it still does not work, call the practice at the number on your bill.',
  },
  offlineView: {
    heading: 'You are offline',
    next: "This page will update when you're back online. If you just authorized a payment, we'll show whether it went through. You won't be charged twice.",
  },
  serviceBusy: {
    heading: 'The payment service is busy',
    next: "We'll keep trying. If you just authorized a payment, we'll show whether it went through. You won't be charged twice.",
  },
  unreachable: {
    heading: 'We cannot reach the payment service',
    next: "Check your connection. If you just authorized a payment, try again here to see whether it went through. You won't be charged twice.",
    retry: 'Try again',
    retrying: 'Trying…',
  },

  receipt: {
    heading: 'Payment receipt',
    confirmation: 'Payment confirmation',
    details: 'Payment details',
    status: 'Status',
    amount: 'Amount',
    paidTo: 'Paid to',
    paidFrom: 'Paid from',
    authorizedAt: 'Authorized',
    statementText: 'On your bank statement',
    number: 'Reference number',
    print: 'Print or save as PDF',
    share: 'Share',
    itemized: (practice: string) => `For an FSA or HSA claim, ask ${practice} for an itemized statement.`,
    states: {
      submitted: (time: string) => `Processing. Submitted on ${time}; usually takes 4 business days`,
      paid: (time: string) => `Paid on ${time}`,
      refunded: (amount: string, time: string) => `${amount} was refunded on ${time}`,
      refundPending: (amount: string, time: string) => `A refund of ${amount} has been on its way since ${time}`,
      returned: (time: string) => `Returned by your bank on ${time}`,
      failed: (time: string) => `Failed on ${time}. No money was taken.`,
      cancelled: (time: string) => `Cancelled on ${time}. No money was taken.`,
    },
  },
  accounts: {
    checking: (bank: string, last4: string) => `${bank} checking account ending in ${last4}`,
    savings: (bank: string, last4: string) => `${bank} savings account ending in ${last4}`,
  },
};

export type Texts = typeof en;
