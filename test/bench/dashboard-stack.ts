import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { synthesize } from '../../lib/build/synthesize.ts';
import { dashboardUser, type DashboardUser } from '../support/dashboard-user.ts';
import { startTestStack, type TestStack } from '../support/local-stack.ts';
import { succeeded } from '../support/patient.ts';

interface DashboardStack extends TestStack {
  readonly admin: DashboardUser;
}

/** A stack whose practice has one paid invoice, so that its home shows payments. */
export async function startDashboardStack(): Promise<DashboardStack> {
  const directory = await mkdtemp(join(tmpdir(), 'payment-bench-'));
  const assembly = await synthesize({ stage: 'sandbox', local: true, outdir: join(directory, 'assembly') });
  const stack = await startTestStack({ assembly });
  const { sessionId, payment } = await stack.pay('user_good', { invoiceId: 'INV-PAID' });
  succeeded(payment);
  await stack.receiver.waitFor('session.payment.succeeded', sessionId);
  const { practiceId } = stack.practice;
  return {
    ...stack,
    admin: await dashboardUser(stack, { practiceId, role: 'admin' }),
    async stop() {
      await stack.stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}
