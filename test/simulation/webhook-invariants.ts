import type { Observed } from './observed.ts';

// Nothing here runs the product's code: it states again what must hold, in terms of rows, events, webhooks and the bank's own books.

/** Each endpoint accepted its practice's events, and got nothing else. */
export function checkDeliveries({ rows, receivers }: Observed): string[] {
  const found: string[] = [];
  const bodies = new Map(rows.events.map((row) => [row['eventId'], String(row['body'])]));
  for (const receiver of receivers) {
    const { practiceId, endpointId, received } = receiver;
    const accepted = new Set(received.filter((each) => each.accepted).map(({ eventId }) => eventId));
    for (const { eventId, body } of received) {
      if (JSON.parse(body).practiceId !== practiceId)
        found.push(`${endpointId} received ${eventId} of another practice`);
      const stored = bodies.get(eventId);
      if (stored === undefined) found.push(`${endpointId} received ${eventId}, which is no event`);
      else if (withoutMetadata(stored) !== withoutMetadata(body))
        found.push(`${endpointId} received ${eventId} with another body`);
    }
    for (const { practiceId: owner, type, eventId } of rows.events) {
      const isOptional = /refund|link_requested|webhook.test/.test(String(type));
      if (owner !== practiceId || isOptional) continue;
      const delivery = rows.deliveries.find((row) => row['eventId'] === eventId && row['endpointId'] === endpointId);
      if (delivery?.['status'] !== 'delivered')
        found.push(
          `the delivery of ${String(eventId)} to ${endpointId} is ${JSON.stringify(delivery?.['status'] ?? 'missing')}`,
        );
      else if (!accepted.has(String(eventId))) found.push(`${endpointId} never accepted ${String(eventId)}`);
    }
  }
  return found;
}

function withoutMetadata(body: string): string {
  const event = JSON.parse(body);
  return JSON.stringify({ ...event, data: { ...event.data, metadata: {} } });
}
