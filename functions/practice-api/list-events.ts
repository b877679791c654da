import { listEventsRoute } from '../contract/webhooks/list-events.ts';
import { pick } from '../domain/collections.ts';
import { tableNames } from '../environment.ts';
import { practiceRoute } from '../http/practice-route.ts';
import { listEvents } from '../webhooks/list-events.ts';
import { connect } from '../store/database.ts';

const tools = { database: connect(tableNames()), mode: builtForMode };

export const handler = practiceRoute(
  tools,
  listEventsRoute,
  async ({ practiceId, servedPractice }, { query }, { now }) => {
    const { events, nextCursor } = await listEvents(
      tools,
      { practiceId, platformSince: servedPractice?.platformSince, ...query },
      now,
    );
    const data = events.map((event) => pick(event, ['eventId', 'type', 'createdAt', 'sessionId', 'body']));
    return { data, nextCursor };
  },
);
