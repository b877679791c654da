import { NewPaymentLink } from './new-payment-link.tsx';
import { ProofOfAuthorization } from './proof-of-authorization.tsx';
import { SessionScreen } from './session.tsx';
import { Sessions } from './sessions.tsx';

/** One chunk, because these screens are used together and many small chunks load slowly. */
export const sessionScreens = { Sessions, NewPaymentLink, SessionScreen, ProofOfAuthorization };
