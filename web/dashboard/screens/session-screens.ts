import { NewPaymentLink } from './new-payment-link.tsx';
import { ProofOfAuthorization } from './proof-of-authorization.tsx';
import { SessionScreen } from './session.tsx';
import { Sessions } from './sessions.tsx';

/** One file, because they are used together: many small ones load slowly. */
export const sessionScreens = { Sessions, NewPaymentLink, SessionScreen, ProofOfAuthorization };
