import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { text as textOf } from 'node:stream/consumers';
import * as z from 'zod';
import { isObject } from '../json.ts';
import { invalid, StripeError } from './errors.ts';
import { errorsAfter, errorsBefore, errorsInstead, incompleteAnswer, type Faults } from './faults.ts';
import {
  decodeForm,
  checkRequest,
  missingInAnswer,
  operationOf,
  publishedVersion,
  type Operation,
} from './schema-check.ts';
import type { Ledger } from './ledger.ts';
import { operations } from './operations.ts';
import { newId, type Owner, type State } from './state.ts';

export interface ReceivedRequest {
  readonly operation: string;
  readonly path: string;
  readonly account: string | undefined;
  readonly idempotencyKey: string | undefined;
  readonly input: unknown;
  status: number;
}

interface Options {
  readonly ledger: Ledger;
  readonly faults: Faults;
  readonly secretKey: () => string;
  readonly pageOrigin: string;
  readonly requests: ReceivedRequest[];
  /** The caller's violations of the published description. */
  readonly problems: string[];
}

interface Answer {
  readonly status: number;
  readonly body: string;
}

const expansion = z.looseObject({ expand: z.array(z.string()).optional() });
const maximumRequests = 2000;
/** The minimum time that Stripe replays its response to an idempotency key. In milliseconds. */
const keyLifetime = 86_400_000;

/** Serves Stripe's API under /v1/. */
export function createApi({ ledger, faults, secretKey, pageOrigin, requests, problems }: Options) {
  const { state } = ledger;

  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = new URL(request.url ?? '', 'http://stripe');
    const body = await textOf(request);
    const requestId = newId('req');
    const send = ({ status, body: text }: Answer, headers: Record<string, string> = {}) =>
      void response
        .writeHead(status, {
          'content-type': 'application/json',
          'request-id': requestId,
          'stripe-version': publishedVersion,
          ...headers,
        })
        .end(text);

    try {
      authenticate(request);
      const found = operationOf(request.method ?? '', url.pathname);
      const handler = found && operations[found.operation.id];
      if (found === undefined || handler === undefined) {
        problems.push(`${request.method} ${url.pathname} is not served`);
        throw new StripeError(404, 'invalid_request_error', `Unrecognized request URL (${url.pathname}).`);
      }
      const { operation, pathParams } = found;
      const owner = ownerOf(request);
      const form = decodeForm(operation.method === 'POST' ? body : url.search.slice(1));
      const input = check(operation, form);
      const key = operation.method === 'POST' ? header(request, 'idempotency-key') : undefined;
      const account = owner === '' ? undefined : owner;
      const received = { operation: operation.id, path: url.pathname, account, idempotencyKey: key, input, status: 0 };
      requests.push(received);
      if (requests.length > maximumRequests) requests.shift();

      const fault = faults.next(operation.id, account);
      if (fault === 'dropped_before_acceptance') return void request.socket.destroy();
      const refused = fault && errorsBefore[fault];
      if (refused) throw refused;
      if (fault === 'incomplete_answer') return send(incompleteAnswer);

      const fingerprint = createHash('sha256').update(`${url.pathname}\n${body}`).digest('hex');
      const answerId = `${key}`;
      const stored = key === undefined ? undefined : state.answers.find(owner, answerId);
      const kept = stored && stored.at > state.now() - keyLifetime ? stored : undefined;
      if (kept !== undefined && kept.fingerprint !== fingerprint)
        throw new StripeError(
          400,
          'idempotency_error',
          'Keys for idempotent requests can only be used with the same parameters they were first used with.',
        );
      const call = { ledger, owner, id: pathParams[0] ?? '', path: url.pathname, input, pageOrigin };
      const executed =
        kept ??
        execute(() => {
          const error = fault && errorsInstead[fault];
          if (error) throw error;
          const object = handler(call);
          const missing = missingInAnswer(object);
          if (missing.length > 0) problems.push(`the answer of ${operation.id} lacks ${missing.join(', ')}`);
          return expand(state, owner, object, expansion.parse(input).expand ?? []);
        });
      const lied = fault && errorsAfter[fault];
      const answer = lied ? answerOf(lied) : executed;
      if (key !== undefined && kept === undefined)
        state.answers.put(owner, { id: answerId, fingerprint, ...answer, at: state.now() });
      received.status = answer.status;
      state.save();
      if (fault === 'dropped_after_acceptance') return void request.socket.destroy();
      if (fault === 'no_answer_after_acceptance') return;
      send(answer, kept === undefined ? {} : { 'idempotent-replayed': 'true' });
    } catch (error) {
      if (!(error instanceof StripeError)) throw error;
      send(answerOf(error), error.status === 429 ? { 'retry-after': '1' } : {});
    }
  };

  function authenticate(request: IncomingMessage): void {
    const given = header(request, 'authorization')?.replace(/^Bearer /, '');
    if (given === secretKey()) return;
    throw new StripeError(401, 'invalid_request_error', 'Invalid API Key provided.', {
      ...(given?.startsWith('sk_') && { code: 'api_key_expired' }),
    });
  }

  function ownerOf(request: IncomingMessage): string {
    const account = header(request, 'stripe-account');
    if (account === undefined) return '';
    if (state.accounts.find('', account)) return account;
    throw new StripeError(
      403,
      'invalid_request_error',
      `The provided key does not have access to account '${account}' (or that account does not exist).`,
      { code: 'account_invalid' },
    );
  }

  function check(operation: Operation, form: ReturnType<typeof decodeForm>): unknown {
    try {
      const input = checkRequest(operation, form);
      checkMetadata(input);
      return input;
    } catch (error) {
      if (error instanceof StripeError) problems.push(`${operation.id}: ${error.message}`);
      throw error;
    }
  }
}

function execute(handler: () => object): Answer {
  try {
    return { status: 200, body: JSON.stringify(handler()) };
  } catch (error) {
    if (error instanceof StripeError) return answerOf(error);
    throw error;
  }
}

function answerOf({ status, body }: StripeError): Answer {
  return { status, body: JSON.stringify(body) };
}

function checkMetadata(input: unknown): void {
  const metadata = isObject(input) && isObject(input['metadata']) ? Object.entries(input['metadata']) : [];
  if (metadata.length > 50 || metadata.some(([key, value]) => key.length > 40 || String(value).length > 500))
    throw invalid('Metadata can have up to 50 keys of 40 characters, and values of 500.', { param: 'metadata' });
}

function header(request: IncomingMessage, name: string): string | undefined {
  const value = request.headers[name];
  return Array.isArray(value) ? value[0] : value;
}

/** Replaces the IDs at the given paths with their objects, as `expand` asks. */
function expand(state: State, owner: Owner, object: object, paths: readonly string[]): object {
  return paths.reduce<object>((expanded, path) => expandPath(state, owner, expanded, path.split('.')), object);
}

function expandPath(state: State, owner: Owner, object: object, [key = '', ...rest]: readonly string[]): object {
  const fields: Record<string, unknown> = { ...object };
  const value = fields[key];
  if (value === null) return object;
  fields[key] = expandValue(state, owner, value, key, rest);
  return fields;
}

function expandValue(state: State, owner: Owner, value: unknown, key: string, rest: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map((each) => expandValue(state, owner, each, key, rest));
  const found = typeof value === 'string' ? state.findAny(owner, value) : value;
  if (!isObject(found))
    throw invalid(`This property cannot be expanded (${key}).`, { param: 'expand', code: 'parameter_invalid' });
  return rest.length === 0 ? found : expandPath(state, owner, found, rest);
}
