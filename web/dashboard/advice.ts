import type { MemberSession } from '../../functions/contract/sessions/dashboard-sessions.ts';
import { formatDollars } from './format.ts';
import { allows, isOwnAdmin, type Practice } from './practice.ts';

type Code = NonNullable<MemberSession['failure']>['code'];

const adviceByCode: Readonly<Record<Code, string>> = {
  insufficient_funds: 'Ask the patient when the money will be there, then send a new payment link.',
  account_closed: 'Send a new payment link, and ask the patient to choose another account.',
  account_not_found: 'Send a new payment link, and ask the patient to choose another account.',
  debit_not_authorized:
    'Do not send a new link yet. Call the patient: they may not have recognized the name on their bank statement. The proof of authorization shows what they accepted. If they still object, agree on another way to pay, such as a check.',
  account_frozen: 'Only the bank can lift that. Ask the patient for another account or another way to pay.',
  bank_declined:
    'The bank gives us no reason, but it tells the patient. Send a new payment link for another try or another account.',
  processor_error:
    'The patient did nothing wrong. Send a new payment link. If it fails again, tell whoever operates the service.',
  account_unusable: 'Send a new payment link, and ask the patient to choose a checking or savings account.',
  practice_account_restricted:
    'Give Stripe what it needs, under Settings, Practice. After that, send a new payment link: before, it would fail too.',
  processor_limit_exceeded:
    'Tell whoever operates the service: a new link would fail too. Until then, offer another way to pay.',
  authorization_invalid: 'Send a new payment link: the patient authorizes the payment again.',
  authorization_expired: 'Send a new payment link: the patient authorizes the payment again.',
};

type Ended = Pick<MemberSession, 'failure' | 'return' | 'refund' | 'cancellation'>;

/** Paid back by the refund and by the bank. Whoever pays the invoice after that, the practice has to ask for that money. */
export function wasPaidBackTwice({ return: returned, refund }: Pick<Ended, 'return' | 'refund'>): boolean {
  return returned !== undefined && refund !== undefined && refund.amountCents > 0;
}

/** Whether staff should call the patient before they send another link. */
export function callsFirst(session: Ended): boolean {
  const { failure, return: returned } = session;
  return (returned ?? failure)?.code === 'debit_not_authorized' || wasPaidBackTwice(session);
}

/** Says first who can do it, unless the user can. */
export function adviceOf(session: Ended, user: Pick<Practice, 'role' | 'platform'>): string | undefined {
  const advice = adviceForDoers(session);
  const doers = advice && doersOf(session, user);
  return doers === undefined ? advice : `For ${doers}: ${advice}`;
}

/** Undefined if the user is one of them. */
function doersOf({ failure, return: returned, refund }: Ended, user: Pick<Practice, 'role' | 'platform'>) {
  if ((returned ?? failure)?.code === 'practice_account_restricted')
    return isOwnAdmin(user) ? undefined : 'the practice’s own admins';
  const isForAdmins = !returned && !failure && refund?.status === 'failed';
  if (isForAdmins) return allows(user.role, 'admin') ? undefined : 'admins';
  return allows(user.role, 'staff') ? undefined : 'staff and admins';
}

function adviceForDoers(session: Ended): string | undefined {
  const { failure, return: returned, refund, cancellation } = session;
  if (refund && wasPaidBackTwice(session))
    return `The patient got ${formatDollars(refund.amountCents)} twice: from your refund and from the bank. Call the patient and ask for it. Do not send a new link before that.`;
  const code = (returned ?? failure)?.code;
  if (code !== undefined) return adviceByCode[code];
  if (refund?.status === 'failed')
    return 'The patient has not been paid back. Refund it once more, or ask the patient how else to pay it back. If the money is not in your payouts within a week, ask whoever operates the service.';
  return cancellation?.reason === 'expired'
    ? 'If the invoice is still open, make a new payment link: it comes with a message to the patient.'
    : undefined;
}
