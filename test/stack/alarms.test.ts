import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sessionEventId } from '../../functions/domain/webhooks/event.ts';
import { minute, toIso } from '../../functions/domain/time.ts';
import { isOn, pointsIn, type DataPoint } from '../support/alarms.ts';
import { sandboxAssembly } from '../support/built.ts';
import { startTestStack, type TestStack } from '../support/local-stack.ts';
import { patientOf } from '../support/patient.ts';
import type { Disturb } from '../support/permissions.ts';
import { databaseOf } from '../support/tables.ts';

interface Template {
  readonly Resources: Record<string, { Type: string }>;
}

/** As if somebody had disabled what feeds the stream of events to the publisher. */
function withoutPublisher({ Resources, ...rest }: Template): Template {
  const kept = Object.entries(Resources).filter(([id]) => !id.startsWith('EventsPublishEventsOutbox'));
  expect(kept.length).toBe(Object.keys(Resources).length - 1);
  return { ...rest, Resources: Object.fromEntries(kept) };
}

let service: TestStack;
let template: Template;
let disturb: Disturb = () => undefined;
const dataDir = await mkdtemp(join(tmpdir(), 'payment-alarms-'));
beforeAll(async () => {
  const assembly = await sandboxAssembly();
  template = assembly.template as Template;
  const stopped = { ...assembly, template: withoutPublisher(template) };
  service = await startTestStack({ dataDir, assembly: stopped, disturb: (request) => disturb(request) });
});
afterAll(async () => {
  await service.stop();
  await rm(dataDir, { recursive: true, force: true });
});

/** What the functions have measured so far. */
async function pointsOf(name: string, dimension?: string): Promise<DataPoint[]> {
  const directory = join(dataDir, 'logs');
  const texts = await Promise.all((await readdir(directory)).map((file) => readFile(join(directory, file), 'utf8')));
  return pointsIn(texts.flatMap((text) => text.split('\n'))).filter(
    (point) => point.name === name && Object.keys(point.dimensions)[0] === dimension,
  );
}

/** The same value, measured at these times. */
const minutesAgo = (point: DataPoint | undefined, ...minutes: number[]): DataPoint[] =>
  minutes.map((ago) => ({ ...point!, time: Date.now() - ago * minute }));

async function cancelAndSweep(): Promise<void> {
  const { sessionId } = await service.createSession();
  await service.client.sessions.cancel(sessionId);
  const database = databaseOf(service.stack);
  await database.documents.send(
    new UpdateCommand({
      TableName: database.tables.events,
      Key: { eventId: sessionEventId(sessionId, 1) },
      UpdateExpression: 'SET dueAt = :dueAt',
      ExpressionAttributeValues: { ':dueAt': toIso(Date.now() - 1) },
    }),
  );
  database.documents.destroy();
  await service.stack.fireSchedules();
  await service.receiver.waitFor('session.payment.cancelled', sessionId);
}

it('LateEvents goes off if nothing invokes the publisher, and LoggedErrors if a function fails after its work was recorded', async () => {
  disturb = ({ caller, input }) =>
    caller.startsWith('WebhooksSendWebhook') && input.includes('firstDeliveredAt') ? 'throttled' : undefined;
  await cancelAndSweep();

  const errorsOfSender = async () =>
    (await pointsOf('LoggedErrors', 'FunctionName')).filter(({ dimensions }) =>
      dimensions['FunctionName']?.includes('SendWebhook'),
    );
  await expect.poll(errorsOfSender, { timeout: 60_000 }).not.toEqual([]);
  const [error] = await errorsOfSender();
  const isLogged = (points: readonly DataPoint[]) => isOn(template, 'LoggedErrors', points);
  expect(isLogged(minutesAgo(error, 1, 20, 170))).toBe(true);
  expect(isLogged(minutesAgo(error, 1, 20, 190))).toBe(false);
  const another = { ...error!, dimensions: { FunctionName: 'another' } };
  expect(isLogged([...minutesAgo(error, 1, 20), ...minutesAgo(another, 40)]), 'functions are told apart').toBe(false);

  const late = (await pointsOf('SweepAge', 'Duty')).find(
    ({ dimensions, value }) => dimensions['Duty'] === 'dispatch' && value > 0,
  );
  const isLate = (points: readonly DataPoint[]) => isOn(template, 'LateEvents', points);
  expect(isLate(minutesAgo(late, 0, 15, 50))).toBe(true);
  expect(isLate(minutesAgo(late, 0, 15))).toBe(false);
  expect(isLate(minutesAgo({ ...late!, value: 0 }, 0, 1, 2, 3))).toBe(false);
});

it('FailedSignIns goes off if sign-ins end on the page of a problem', async () => {
  const signIn = async () => {
    const response = await fetch(`${service.dashboardUrl}/api/dashboard/sign-in`, { redirect: 'manual' });
    return response.headers.get('location');
  };
  await signIn();
  expect(await pointsOf('FailedSignIns')).toEqual([]);
  disturb = ({ caller }) => (caller.startsWith('DashboardApiSignIn') ? 'throttled' : undefined);
  const locations = await Promise.all([signIn(), signIn(), signIn()]);
  disturb = () => undefined;
  expect(locations).toEqual(Array(3).fill('/?problem=sign_in_failed'));
  await expect.poll(() => pointsOf('FailedSignIns')).toHaveLength(3);
  const failed = await pointsOf('FailedSignIns');
  expect(isOn(template, 'FailedSignIns', failed)).toBe(true);
  expect(isOn(template, 'FailedSignIns', failed.slice(1))).toBe(false);
});

it('PageErrors goes off if the distributions answered with a 5xx, however few of all requests', async () => {
  const { hostedUrl } = await service.createSession();
  disturb = ({ caller }) => (caller.startsWith('PatientApiGetSession') ? 'throttled' : undefined);
  const answers = await Promise.all(Array.from({ length: 5 }, () => patientOf(hostedUrl).view()));
  disturb = () => undefined;
  const failed = answers.filter(({ status }) => status >= 500).length;
  expect(failed).toBe(5);

  const [page = ''] = Object.entries(template.Resources).flatMap(([id, { Type }]) =>
    Type === 'AWS::CloudFront::Distribution' && id.startsWith('HostedPage') ? [id] : [],
  );
  /** As CloudFront reports them. */
  const reported = (failures: number, requests: number): DataPoint[] => {
    const of = {
      namespace: 'AWS/CloudFront',
      dimensions: { DistributionId: page, Region: 'Global' },
      time: Date.now(),
    };
    return [
      { ...of, name: '5xxErrorRate', value: (100 * failures) / requests },
      { ...of, name: 'Requests', value: requests },
    ];
  };
  expect(isOn(template, 'PageErrors', reported(failed, 100_000))).toBe(true);
  expect(isOn(template, 'PageErrors', reported(failed - 1, failed - 1))).toBe(false);
  expect(isOn(template, 'PageErrors', [])).toBe(false);
});
