import { Problem } from '../../functions/contract/problem.ts';
import type { RandomBytes } from '../../functions/domain/identifier.ts';
import { findOwnSession } from '../../functions/sessions/find.ts';
import type { Database } from '../../functions/store/database.ts';
import type { Receiver } from './receivers.ts';
import type { Service } from './service.ts';
import type { World } from './world.ts';

/** What the practice's backend and its patients know. */
export interface KnownSession {
  readonly practiceId: string;
  readonly sessionId: string;
  /** Newest last. */
  readonly tokens: string[];
  erased: boolean;
}

export interface KnownRefund {
  readonly sessionId: string;
  readonly refundId: string;
  readonly cents: number;
}

export interface Cast {
  readonly world: World;
  readonly database: Database;
  readonly service: Service;
  readonly randomBytes: RandomBytes;
  readonly practiceIds: readonly string[];
  readonly receivers: Receiver[];
  readonly sessions: KnownSession[];
  readonly refunds: KnownRefund[];
}

export const author = { kind: 'operator' } as const;
const hostedPageUrl = 'https://pay.example.com';

/** Requests that people and programs sometimes send twice at once. */
const sentTwice = new Set(['create', 'pay', 'authorize', 'cancel', 'refund']);

export type Actions = Readonly<Record<string, () => void | Promise<void>>>;
export type Callers = ReturnType<typeof callersOf>;

/** What all callers have in common. */
export function callersOf(cast: Cast) {
  const { world, database, service, randomBytes, practiceIds, sessions } = cast;
  const { chance, pick } = world;
  const { bank } = service;
  const tools = { database, randomBytes, hostedPageUrl, mode: bank.mode };
  const payments = { database, processor: bank.processor };
  const repeatable: (() => void)[] = [];

  /** Callers may send the same request again, as they do when it was not answered. */
  function request<Result>(
    name: string,
    work: () => Promise<Result>,
    answered: (result: Result) => void = () => undefined,
  ): void {
    const send = () =>
      world.start(name, work, (ending, { hurt }) => {
        if (ending.how === 'done') answered(ending.result);
        if (ending.how === 'threw' && !hurt && !(ending.error instanceof Problem))
          world.violations.add(`${name} failed although nothing failed around it: ${String(ending.error)}`);
      });
    repeatable.push(send);
    send();
    if (sentTwice.has(name) && chance(0.2)) send();
  }

  /** Usually one of the newest, so that lives are long. */
  const aSession = () => pick(chance(0.7) ? sessions.slice(-2) : sessions);
  const own = ({ practiceId, sessionId }: KnownSession) => findOwnSession({ database }, { practiceId, sessionId });

  const practice = () => pick(practiceIds) ?? '';
  const deliveryTools = { ...tools, sendDeliveries: service.queues.deliveries.send };
  return { ...cast, tools, payments, deliveryTools, request, repeatable, aSession, own, practice };
}
