import type { Locale } from '../domain/locale.ts';
import type { Mode } from '../domain/mode.ts';
import { patientView } from '../domain/session-view.ts';
import type { Database } from '../store/database.ts';
import { findInvoiceBlocker } from './blocks.ts';
import type { LinkHolder } from './find.ts';

interface ViewTools {
  readonly database: Database<'sessions' | 'invoiceClaims'>;
  readonly mode: Mode;
}

export async function viewSession(
  { database, mode }: ViewTools,
  { session, practice, locale }: LinkHolder & { readonly locale: Locale },
  now: number,
) {
  const blocker = await findInvoiceBlocker({ database }, session, practice);
  return patientView(session, practice, { mode, locale, now, blockedBy: blocker?.blockedBy });
}
