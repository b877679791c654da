import { getApplicationFee } from '../../functions/payments/statement.ts';
import { showPlatform } from '../../functions/practices/platforms.ts';
import type { ModeTools } from '../../functions/store/database.ts';

interface FeesInput {
  readonly platformId: string;
  /** Like 2026-11. */
  readonly month: string;
}

/**
 * The operator's fee from the platform's practices, as in their own statements: less what refunds returned. Leaves out
 * practices that have left.
 */
export async function addUpFees(tools: ModeTools, { platformId, month }: FeesInput, now: number) {
  const { practices } = await showPlatform(tools, { platformId });
  const fees: { practiceId: string; name: string; applicationFeeCents: number }[] = [];
  for (const { practiceId, name } of practices) {
    const applicationFeeCents = tools.mode === 'live' ? await getApplicationFee(tools, { practiceId, month }, now) : 0;
    fees.push({ practiceId, name, applicationFeeCents });
  }
  const applicationFeeCents = fees.reduce((sum, each) => sum + each.applicationFeeCents, 0);
  const note = tools.mode === 'sandbox' ? 'A sandbox takes no fee.' : undefined;
  return { platformId, month, practices: fees, applicationFeeCents, note };
}
