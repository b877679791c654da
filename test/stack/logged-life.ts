import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { vi } from 'vitest';
import { createdSession } from '../../functions/contract/sessions/create-session.ts';
import { foundSessions } from '../../functions/contract/sessions/dashboard-sessions.ts';
import { due } from '../../functions/domain/due.ts';
import { sessionEventId } from '../../functions/domain/webhooks/event.ts';
import { minute, second, toIso } from '../../functions/domain/time.ts';
import { isObject, parseJson } from '../../lib/local/json.ts';
import { aSession } from '../support/examples.ts';
import { dashboardUser } from '../support/dashboard-user.ts';
import { startTestStack, type TestStack } from '../support/local-stack.ts';
import { patientOf } from '../support/patient.ts';
import { databaseOf } from '../support/tables.ts';
import { newSessionId, putSession } from './stranded.ts';
import { patience } from '../support/until.ts';

export type LoggedLife = Awaited<ReturnType<typeof liveAndLog>>;

export async function liveAndLog() {
  const startedAt = performance.now();
  const dataDir = await mkdtemp(join(tmpdir(), 'payment-logs-'));
  const printed: string[] = [];
  // This file has its own stack: it reads everything that the stack ever logged.
  const service = await startTestStack({ dataDir, log: (line) => printed.push(line) });
  const life = startLife(service);
  const { call, patient, secrets, requestIds, database } = life;

  const [paid, unpaid, cancelled, { broken, expired }, { conflicting, conflictingRows }] = await Promise.all([
    beRefusedAndPay(life),
    service.pay('user_insufficient_funds', { patient }),
    service.createSession({ patient }),
    putFaults(life),
    settleCancelled(life),
  ]);
  for (const { hostedUrl } of [paid, cancelled, unpaid]) {
    secrets[`link ${hostedUrl}`] = hostedUrl;
    secrets[`token of ${hostedUrl}`] = hostedUrl.split('/s/')[1] ?? '';
  }
  await service.receiver.waitFor('session.payment.failed', unpaid.sessionId);
  await searchByName(life);
  await call('cancelled', 'POST', `${sessionsPath}/${cancelled.sessionId}/cancel`);
  await call('cancelled too late', 'POST', `${sessionsPath}/${paid.sessionId}/cancel`);
  await call('broken row', 'GET', `${sessionsPath}/${broken}/status`);
  await service.stack.fireSchedules();
  await service.receiver.waitFor('session.payment.cancelled', expired);
  // An attempt is logged after its receiver has answered.
  const isDelivered = (line: string) =>
    line.includes('"statusCode":204') && line.includes(requestIds['cancelled'] ?? '');
  await vi.waitUntil(async () => (await service.logLines()).some(isDelivered), patience);
  database.documents.destroy();
  await service.stop();

  const logged = await readLogs(join(dataDir, 'logs'));
  await rm(dataDir, { recursive: true, force: true });
  return {
    milliseconds: performance.now() - startedAt,
    secrets,
    requestIds,
    printed: printed.join('\n'),
    text: logged.text + printed.join('\n'),
    lines: logged.lines,
    /** A cancelled session before and after its bank reported success. */
    conflictingRows,
    sessions: {
      paid: paid.sessionId,
      cancelled: cancelled.sessionId,
      unpaid: unpaid.sessionId,
      broken,
      conflicting,
      expired,
    },
  };
}

const sessionsPath = '/api/practice/sessions';

interface CallOptions {
  readonly key?: string;
  readonly body?: object;
  readonly headers?: Record<string, string>;
}

function startLife(service: TestStack) {
  const { practice, receiver } = service;
  const secrets: Record<string, string> = {
    'API key': practice.apiKey,
    'secret of the API key': practice.apiKey.split('_').at(-1) ?? '',
    'signing secret': receiver.secret,
    'bank password': practice.password,
    'URL of the receiver': receiver.url,
  };
  const marker = (what: string) => (secrets[what] = `Zq${randomBytes(6).toString('hex')}`);
  const userAgent = marker('user agent');
  const requestIds: Record<string, string> = {};

  async function call(name: string, method: string, path: string, options: CallOptions = {}): Promise<void> {
    const { key = practice.apiKey, body, headers } = options;
    const type = body && { 'content-type': 'application/json' };
    const response = await fetch(service.apiUrl + path, {
      method,
      headers: { authorization: `Bearer ${key}`, 'user-agent': userAgent, ...type, ...headers },
      ...(body && { body: JSON.stringify(body) }),
    });
    await response.text();
    requestIds[name] = response.headers.get('request-id') ?? '';
  }

  const patient = { firstName: marker('first name'), lastName: marker('last name') };
  return { service, database: databaseOf(service.stack), secrets, marker, requestIds, call, patient };
}
type Life = ReturnType<typeof startLife>;

async function beRefusedAndPay({ service, secrets, requestIds, marker, call, patient }: Life) {
  const { practice, receiver } = service;
  const request = {
    invoiceId: marker('invoice id'),
    patient,
    metadata: { [marker('metadata key')]: marker('metadata value') },
  };
  const headers = {
    'idempotency-key': marker('idempotency key'),
    [`x-${marker('header name')}`]: marker('header value'),
  };
  const created = await service.sessionsApi('POST', '', {
    body: JSON.stringify({ amountCents: 18_250, ...request }),
    headers,
  });
  const paid = createdSession.parse(created.body);

  await call('created again', 'POST', sessionsPath, { body: { amountCents: 18_250, ...request }, headers });
  await call('unknown key', 'POST', sessionsPath, { key: marker('unknown API key'), body: request });
  const mistyped = `${practice.apiKey.slice(0, -1)}!`;
  await call('mistyped key', 'GET', `${sessionsPath}/${paid.sessionId}/status`, { key: mistyped });
  const sensitive = { ...request, amountCents: 100, metadata: { diagnosis: marker('diagnosis') } };
  await call('sensitive', 'POST', sessionsPath, { body: sensitive });
  await call('faulty', 'POST', sessionsPath, { body: { [marker('unknown field')]: marker('unknown value') } });
  await call('list', 'GET', `${sessionsPath}?invoiceId=${marker('queried invoice')}`);
  await call('no such session', 'GET', `${sessionsPath}/${marker('path')}/status`);
  await call('no such route', 'GET', `/${marker('unknown path')}?q=${marker('query')}`);

  const holder = patientOf(paid.hostedUrl);
  await fetch(paid.hostedUrl);
  secrets['unknown token'] = randomBytes(32).toString('base64url');
  await patientOf(`${service.hostedUrl}/s/${secrets['unknown token']}`).view();
  await holder.open();
  await holder.connectBank(marker('bank user name'), marker('wrong bank password'));
  await holder.connectBank('user_bank_down', practice.password);
  const { body } = await holder.connectBank('user_good', practice.password);
  secrets["processor's account"] = 'user_good';
  secrets['authorization text'] = (body['authorization'] as { text: string }).text;
  receiver.failOnce(paid.sessionId);
  const authorized = await holder.authorize();
  requestIds['authorized'] = authorized.headers.get('request-id') ?? '';
  await receiver.waitFor('session.payment.succeeded', paid.sessionId);
  const processing = sessionEventId(paid.sessionId, 1);
  await vi.waitUntil(() => receiver.received.filter(({ event }) => event.id === processing).length === 2, patience);
  return paid;
}

const record = (body: object) => ({
  Records: [{ messageId: 'm-1', body: JSON.stringify(body), eventSource: 'aws:sqs' }],
});

/** Searches as staff do. */
async function searchByName({ service, patient: { firstName, lastName } }: Life) {
  const { practiceId } = service.practice;
  const staff = await dashboardUser(service, { practiceId, role: 'staff' });
  const { status, body } = await staff.call('searchSessions', { practiceId }, { text: `${lastName} ${firstName}` });
  if (status !== 200 || foundSessions.parse(body).data.length === 0) throw new Error(`the search answered ${status}`);
}

async function putFaults({ service, database, marker, patient }: Life) {
  const { practice, stack } = service;
  const [broken, expired, ended] = [newSessionId(), newSessionId(), Date.now() - second];
  const expiry = { expiresAt: toIso(ended), ...due('expiry', expired, ended) };
  await putSession(service, database, { sessionId: expired, patient, ...expiry });
  const row = {
    ...aSession({ sessionId: broken, practiceId: practice.practiceId, patient, ...due('expiry', broken, ended) }),
    status: marker('broken status'),
    createdAt: marker('broken time'),
  };
  await database.documents.send(new PutCommand({ TableName: database.tables.sessions, Item: row }));

  await stack.functionOf('DebitsSubmitDebit').invoke(record({ sessionId: broken }));
  const ticket = { sessionId: { [marker('ticket key')]: marker('ticket value') } };
  await stack.functionOf('DebitsSettlePayment').invoke(record(ticket));
  const NewImage = { body: { S: marker('event body') }, type: { S: marker('event type') } };
  const change = { dynamodb: { SequenceNumber: '1', NewImage } };
  await stack.functionOf('EventsPublishEvents').invoke({ Records: [change] });
  await stack.functionOf('EventsPublishEvents').invoke({ [marker('event key')]: marker('event value') });
  return { broken, expired };
}

async function settleCancelled({ service, database, patient }: Life) {
  const { documents, tables } = database;
  const { sessionId } = await putSession(service, database, {
    patient,
    status: 'cancelled',
    sequence: 2,
    cancelledAt: toIso(Date.now() - second),
    cancellation: { reason: 'requested_by_practice' },
    processorAccount: 'user_good',
  });
  const debit = { username: 'user_good', amountCents: 18_250, submittedAt: toIso(Date.now() - minute) };
  await documents.send(new PutCommand({ TableName: tables.sandboxDebits, Item: { sessionId, debit } }));
  const get = new GetCommand({ TableName: tables.sessions, Key: { sessionId }, ConsistentRead: true });
  const { Item: before } = await documents.send(get);
  await service.stack.functionOf('DebitsSettlePayment').invoke(record({ sessionId }));
  const { Item: after } = await documents.send(get);
  return { conflicting: sessionId, conflictingRows: [before, after] };
}

async function readLogs(directory: string) {
  const files = await Promise.all(
    (await readdir(directory)).map(async (from) => ({ from, text: await readFile(join(directory, from), 'utf8') })),
  );
  const lines = files.flatMap(({ from, text }) =>
    text
      .split('\n')
      .map(parseJson)
      .filter(isObject)
      .map((line): Record<string, unknown> & { from: string } => ({ ...line, from })),
  );
  return { text: files.map(({ text }) => text).join(''), lines };
}
