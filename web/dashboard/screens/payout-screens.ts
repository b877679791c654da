import { Payouts } from './payouts.tsx';
import { Payout } from './payouts/payout.tsx';

/** Loaded together. */
export const payoutScreens = { Payouts, Payout };
