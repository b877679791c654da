import { expect, it } from 'vitest';
import type * as z from 'zod/mini';
import type { cancelledSession } from '../../functions/contract/practice-api/cancel-session.ts';
import type { createdSession, createSessionBody } from '../../functions/contract/practice-api/create-session.ts';
import type { eventList, listEventsRoute } from '../../functions/contract/practice-api/list-events.ts';
import type { listSessionsQuery, sessionList } from '../../functions/contract/practice-api/list-sessions.ts';
import type { sessionStatusBody } from '../../functions/contract/practice-api/session.ts';
import type { practiceRoutes } from '../../functions/contract/practice-routes.ts';
import type { internalError, routeNotFound } from '../../functions/contract/problems.ts';
import type { requestErrors } from '../../functions/contract/request-errors.ts';
import type { sessionWebhook, testWebhook } from '../../functions/contract/webhooks.ts';
import type {
  sessionEvents,
  SessionEventType,
  TransitionName,
  transitions,
} from '../../functions/domain/transitions.ts';
import type * as client from '../../web/client/index.ts';

/** Zod's types without what only zod writes: `undefined` beside `?`. */
type Plain<Value> = Value extends readonly (infer Item)[]
  ? Plain<Item>[]
  : Value extends object
    ? { -readonly [Key in keyof Value]: Plain<Exclude<Value[Key], undefined>> }
    : Value;
type Identical<One, Other> = (<T>() => T extends One ? 1 : 2) extends <T>() => T extends Other ? 1 : 2 ? true : false;
type Same<One, Schema> = Identical<Plain<One>, Plain<Schema extends z.ZodMiniType ? z.infer<Schema> : Schema>>;

type Routes = typeof practiceRoutes;
type ProblemCode = { [Name in keyof Routes]: keyof Routes[Name]['problems'] }[keyof Routes];

type Webhook = z.infer<typeof sessionWebhook>;
type Facts = (typeof sessionEvents)[SessionEventType]['facts'][number];
type TransitionsOf<Type> = {
  [Name in TransitionName]: (typeof transitions)[Name] extends { event: Type } ? (typeof transitions)[Name] : never;
}[TransitionName];
type SessionEvent = {
  [Type in SessionEventType]: Omit<Webhook, 'type' | 'data'> & {
    type: Type;
    data: Omit<Webhook['data'], Facts | 'status' | 'previousStatus'> &
      Required<Pick<Webhook['data'], (typeof sessionEvents)[Type]['facts'][number]>> & {
        status: TransitionsOf<Type>['to'];
        previousStatus: TransitionsOf<Type>['from'][number];
      };
  };
}[SessionEventType];

/** If one does not compile, the contract changed: change web/client/ alike. */
const same: {
  newSession: Same<client.NewSession, typeof createSessionBody>;
  createdSession: Same<client.CreatedSession, typeof createdSession>;
  session: Same<client.Session, typeof sessionStatusBody>;
  cancelledSession: Same<client.CancelledSession, typeof cancelledSession>;
  sessionList: Same<client.Page<client.Session>, typeof sessionList>;
  sessionFilters: Same<keyof (client.SessionFilters & client.PageRequest), keyof z.infer<typeof listSessionsQuery>>;
  eventList: Same<client.Page<client.ListedEvent>, typeof eventList>;
  eventFilters: Same<
    keyof (client.EventFilters & client.PageRequest),
    keyof z.infer<(typeof listEventsRoute)['query']>
  >;
  sessionEvent: Same<client.SessionEvent, SessionEvent>;
  testEvent: Same<Omit<client.TestEvent, 'data'>, Omit<z.infer<typeof testWebhook>, 'data'>>;
  problemCode: Same<client.ProblemCode, ProblemCode | keyof typeof routeNotFound | keyof typeof internalError>;
  requestErrorCode: Same<client.RequestError['code'], keyof typeof requestErrors>;
} = {
  newSession: true,
  createdSession: true,
  session: true,
  cancelledSession: true,
  sessionList: true,
  sessionFilters: true,
  eventList: true,
  eventFilters: true,
  sessionEvent: true,
  testEvent: true,
  problemCode: true,
  requestErrorCode: true,
};

it("the client's types are those of the contract", () => {
  expect(Object.values(same)).not.toContain(false);
});
