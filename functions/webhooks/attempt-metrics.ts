import type { Measurement } from '../contract/metrics.ts';
import type { Delivery, NextStep } from '../domain/webhooks/delivery.ts';
import { isExpiration, type EventRow } from '../domain/webhooks/event-row.ts';

export function attemptMetrics(
  leased: Delivery,
  event: Pick<EventRow, 'sessionId' | 'createdAt' | 'body'>,
  status: NextStep['status'],
  startedAt: number,
): Measurement[] {
  return [
    { metric: 'WebhookAttempts', value: 1, by: status },
    { metric: 'WebhooksDelivered', value: status === 'delivered' ? 1 : 0 },
    ...(isPromptPost(leased, event)
      ? [{ metric: 'CommitToPost' as const, value: startedAt - Date.parse(event.createdAt) }]
      : []),
  ];
}

/** False for a delivery that waited for its endpoint or was replayed: its `nextAttemptAt` has changed. */
function isPromptPost(
  { attempts, createdAt, nextAttemptAt }: Delivery,
  event: Pick<EventRow, 'sessionId' | 'body'>,
): boolean {
  return event.sessionId !== undefined && attempts === 0 && nextAttemptAt === createdAt && !isExpiration(event);
}
