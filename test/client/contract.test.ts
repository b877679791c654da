import { expect, it } from 'vitest';
import type * as z from 'zod';
import { apiRoutes } from '../../functions/contract/routes.ts';
import type { serverProblems, routeNotFound } from '../../functions/contract/problems.ts';
import type { RequestError } from '../../functions/contract/request-errors.ts';
import type { sessionWebhook, testWebhook } from '../../functions/contract/webhooks/webhooks.ts';
import type {
  sessionEvents,
  SessionEventType,
  TransitionName,
  transitions,
} from '../../functions/domain/sessions/transitions.ts';
import * as client from '../../web/client/index.ts';

/** Zod's types without the `undefined` that zod adds to optional fields. */
type Plain<Value> = Value extends readonly (infer Item)[]
  ? Plain<Item>[]
  : Value extends object
    ? { -readonly [Key in keyof Value]: Plain<Exclude<Value[Key], undefined>> }
    : Value;
type Identical<One, Other> = (<T>() => T extends One ? 1 : 2) extends <T>() => T extends Other ? 1 : 2 ? true : false;
type Same<Client, Contract> = Identical<Plain<Client>, Plain<Contract>>;

type Routes = typeof apiRoutes;
type QueryOf<Name extends keyof Routes> = z.infer<Routes[Name]['query']>;
type BodyOf<Name extends keyof Routes> = z.input<Routes[Name]['body']>;
type AnswerOf<Name extends keyof Routes> = z.infer<Routes[Name]['response']>;
type ProblemCode = { [Name in keyof Routes]: keyof Routes[Name]['problems'] }[keyof Routes];

type Webhook = z.infer<typeof sessionWebhook>;
type Facts = (typeof sessionEvents)[SessionEventType]['facts'][number];
type SometimesOf<Event> = Event extends { sometimes: readonly (infer Fact extends Facts)[] } ? Fact : never;
type TransitionsOf<Type> = {
  [Name in TransitionName]: (typeof transitions)[Name] extends { event: Type } ? (typeof transitions)[Name] : never;
}[TransitionName];
type SessionEvent = {
  [Type in SessionEventType]: Omit<Webhook, 'type' | 'data'> & {
    type: Type;
    data: Omit<Webhook['data'], Facts | 'status' | 'previousStatus'> &
      Required<Pick<Webhook['data'], (typeof sessionEvents)[Type]['facts'][number]>> &
      Pick<Webhook['data'], SometimesOf<(typeof sessionEvents)[Type]>> &
      ([TransitionsOf<Type>] extends [never]
        ? { status: 'pending' }
        : { status: TransitionsOf<Type>['to']; previousStatus: TransitionsOf<Type>['from'][number] });
  };
}[SessionEventType];

/** Checked by tsc. If this does not compile, the contract has changed: update web/client/. */
function typesAre<_ extends true>(): void {}

typesAre<Same<client.Practice, AnswerOf<'getPractice'>>>();
typesAre<Same<client.NewSession, BodyOf<'createSession'>>>();
typesAre<Same<client.NewPractice, BodyOf<'createPractice'>>>();
typesAre<Same<client.CreatedPractice, AnswerOf<'createPractice'>>>();
typesAre<Same<client.Page<client.ListedPractice>, AnswerOf<'listPractices'>>>();
typesAre<Same<client.OpenedPractice, AnswerOf<'getPlatformPractice'>>>();
typesAre<Same<client.ListedPractice, AnswerOf<'suspendPractice'>>>();
typesAre<Same<client.ListedPractice, AnswerOf<'resumePractice'>>>();
typesAre<Same<client.CreatedSession, AnswerOf<'createSession'>>>();
typesAre<Same<client.Session, AnswerOf<'getSessionStatus'>>>();
typesAre<Same<client.Page<client.Session>, AnswerOf<'listSessions'>>>();
typesAre<Same<keyof (client.SessionFilters & client.PageRequest), keyof QueryOf<'listSessions'>>>();
typesAre<Same<client.CancelledSession, AnswerOf<'cancelSession'>>>();
typesAre<Same<client.SessionAuthorization, AnswerOf<'getAuthorization'>>>();
typesAre<Same<client.ErasedPatient, AnswerOf<'erasePatient'>>>();
typesAre<Same<client.ErasedInvoice & { nextCursor: string | null }, AnswerOf<'erasePatientOfInvoice'>>>();
typesAre<Same<client.Page<client.ListedEvent>, AnswerOf<'listEvents'>>>();
typesAre<Same<keyof (client.EventFilters & client.PageRequest), keyof QueryOf<'listEvents'>>>();
typesAre<Same<client.Page<client.Payout>, AnswerOf<'listPayouts'>>>();
typesAre<Same<keyof (client.PayoutFilters & client.PageRequest), keyof QueryOf<'listPayouts'>>>();
typesAre<Same<client.OpenedPayout, AnswerOf<'getPayout'>>>();
typesAre<Same<{ data: client.WebhookEndpoint[] }, AnswerOf<'listWebhookEndpoints'>>>();
typesAre<Same<client.NewWebhookEndpoint, BodyOf<'createWebhookEndpoint'>>>();
typesAre<Same<client.CreatedWebhookEndpoint, AnswerOf<'createWebhookEndpoint'>>>();
typesAre<Same<client.WebhookEndpointChange, BodyOf<'changeWebhookEndpoint'>>>();
typesAre<Same<client.WebhookEndpoint, AnswerOf<'changeWebhookEndpoint'>>>();
typesAre<Same<client.DeletedWebhookEndpoint, AnswerOf<'deleteWebhookEndpoint'>>>();
typesAre<Same<client.SecretRotation, BodyOf<'rotateSigningSecret'>>>();
typesAre<Same<client.RotatedSecret, AnswerOf<'rotateSigningSecret'>>>();
typesAre<Same<client.SentTestEvent, AnswerOf<'testWebhookEndpoint'>>>();
typesAre<Same<client.WebhookEndpoint, AnswerOf<'getWebhookEndpoint'>>>();
typesAre<Same<client.Page<client.WebhookDelivery>, AnswerOf<'listWebhookDeliveries'>>>();
typesAre<Same<keyof (client.DeliveryFilters & client.PageRequest), keyof QueryOf<'listWebhookDeliveries'>>>();
typesAre<Same<client.ResentEvent, AnswerOf<'resendWebhook'>>>();
typesAre<Same<client.StartedReplay, AnswerOf<'replayWebhooks'>>>();
typesAre<Same<{ as: client.TestUser | 'expire' }, BodyOf<'simulateSession'>>>();
typesAre<Same<client.Session, AnswerOf<'simulateSession'>>>();
typesAre<Same<client.Session, AnswerOf<'advanceSession'>>>();
typesAre<Same<client.SessionEvent, SessionEvent>>();
typesAre<Same<Omit<client.TestEvent, 'data'>, Omit<z.infer<typeof testWebhook>, 'data'>>>();
typesAre<Same<client.ProblemCode, ProblemCode | keyof typeof routeNotFound | keyof typeof serverProblems>>();
typesAre<Same<client.RequestError, RequestError>>();

it('calls every route of the practice API, and no other', async () => {
  const called = new Set<string>();
  const { practice, sessions, events, payouts, webhookEndpoints, practices, sandbox } = client.createPaymentClient({
    apiUrl: 'https://api.example.com',
    apiKey: 'key-1',
    fetch: (url, { method }) => {
      called.add(`${method} ${decodeURIComponent(new URL(url).pathname)}`);
      return Promise.resolve(Response.json({ data: [], erased: [], notEnded: [], nextCursor: null }));
    },
  });
  const [sessionId, endpointId] = ['{sessionId}', '{endpointId}'];
  await practice.get();
  await sessions.create({ invoiceId: 'INV-1', amountCents: 100, patient: { firstName: 'Ada', lastName: 'Okafor' } });
  await sessions.get(sessionId);
  await sessions.list().next();
  await sessions.cancel(sessionId);
  await sessions.getAuthorization(sessionId);
  await sessions.erasePatient(sessionId);
  await sessions.erasePatientOfInvoice('INV-1');
  await events.list().next();
  await payouts.list().next();
  await payouts.get('{payoutId}');
  await webhookEndpoints.list();
  await webhookEndpoints.create({ url: 'https://hooks.example.com' });
  await webhookEndpoints.change(endpointId, { status: 'disabled' });
  await webhookEndpoints.delete(endpointId);
  await webhookEndpoints.rotateSecret(endpointId);
  await webhookEndpoints.test(endpointId);
  await webhookEndpoints.get(endpointId);
  await webhookEndpoints.listDeliveries(endpointId).next();
  await webhookEndpoints.resend(endpointId, '{eventId}');
  await webhookEndpoints.replay(endpointId, new Date(0));
  await practices.create({ name: 'Lakeside Family Practice' });
  await practices.list().next();
  for (const call of ['get', 'suspend', 'resume', 'createOnboardingLink'] as const)
    await practices[call]('{practiceId}');
  await sandbox.simulate(sessionId, 'user_good');
  await sandbox.advance(sessionId);
  const routes = Object.values(apiRoutes);
  expect([...called].sort()).toEqual(routes.map(({ method, path }) => `${method} ${path}`).sort());
});
