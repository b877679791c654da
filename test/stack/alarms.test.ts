import { expect, it, onTestFinished } from 'vitest';
import { minute, second } from '../../functions/domain/time.ts';
import { isOn, pointsIn, type DataPoint } from '../support/alarms.ts';
import { sandboxAssembly } from '../support/built.ts';
import type { TestPractice } from '../support/local-stack.ts';
import { onStack } from '../support/on-stack.ts';
import { patientOf } from '../support/patient.ts';
import type { Disturb } from '../support/permissions.ts';
import { databaseOf } from '../support/tables.ts';
import { deliveredEvent, makeEventDue } from './stranded.ts';

interface Template {
  readonly Resources: Record<string, { Type: string }>;
}

let service: TestPractice;
let template: Template;
const startedAt = Date.now();
onStack.beforeAll(async ({ own }) => {
  service = own;
  template = (await sandboxAssembly()).template as Template;
});

function disturb(how: Disturb): () => void {
  service.disturb(how);
  const end = () => service.disturb(() => undefined);
  onTestFinished(end);
  return end;
}

/** What the functions have measured since this file began. */
async function pointsOf(name: string, dimension?: string): Promise<DataPoint[]> {
  return pointsIn(await service.logLines()).filter(
    (point) => point.name === name && point.time >= startedAt && Object.keys(point.dimensions)[0] === dimension,
  );
}

/** The same value, measured at these times. */
const minutesAgo = (point: DataPoint | undefined, ...minutes: number[]): DataPoint[] =>
  minutes.map((ago) => ({ ...point!, time: Date.now() - ago * minute }));

it('LateEvents goes off if nothing invokes the publisher, and LoggedErrors if a function fails after its work was recorded', async () => {
  const { endpointId } = service.practice;
  disturb(({ caller, input }) =>
    caller.startsWith('WebhooksSendWebhook') && input.includes(endpointId) && input.includes('firstDeliveredAt')
      ? 'throttled'
      : undefined,
  );
  const database = databaseOf(service.stack);
  const { eventId } = await deliveredEvent(service, database);
  await makeEventDue(database, eventId, Date.now() - second);
  database.documents.destroy();
  await service.stack.fireSchedules();

  const errorsOfSender = async () =>
    (await pointsOf('LoggedErrors', 'FunctionName')).filter(({ dimensions }) =>
      dimensions['FunctionName']?.includes('SendWebhook'),
    );
  await expect.poll(errorsOfSender).not.toEqual([]);
  const [error] = await errorsOfSender();
  const isLogged = (points: readonly DataPoint[]) => isOn(template, 'LoggedErrors', points);
  expect(isLogged(minutesAgo(error, 1, 20, 170))).toBe(true);
  expect(isLogged(minutesAgo(error, 1, 20, 190))).toBe(false);
  const another = { ...error!, dimensions: { FunctionName: 'another' } };
  expect(isLogged([...minutesAgo(error, 1, 20), ...minutesAgo(another, 40)]), 'functions are told apart').toBe(false);

  const lateDispatch = async () =>
    (await pointsOf('SweepAge', 'Duty')).find(
      ({ dimensions, value }) => dimensions['Duty'] === 'dispatch' && value > 0,
    );
  await expect.poll(lateDispatch).toBeDefined();
  const late = await lateDispatch();
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
  const end = disturb(({ caller }) => (caller.startsWith('DashboardApiSignIn') ? 'throttled' : undefined));
  const locations = await Promise.all([signIn(), signIn(), signIn()]);
  end();
  expect(locations).toEqual(Array(3).fill('/?problem=sign_in_failed'));
  await expect.poll(() => pointsOf('FailedSignIns')).toHaveLength(3);
  const failed = await pointsOf('FailedSignIns');
  expect(isOn(template, 'FailedSignIns', failed)).toBe(true);
  expect(isOn(template, 'FailedSignIns', failed.slice(1))).toBe(false);
});

it('PageErrors goes off if the distributions answered with a 5xx, however few of all requests', async () => {
  const { hostedUrl } = await service.createSession();
  disturb(({ caller }) => (caller.startsWith('PatientApiGetSession') ? 'throttled' : undefined));
  const answers = await Promise.all(Array.from({ length: 5 }, () => patientOf(hostedUrl).view()));
  const failed = answers.filter(({ status }) => status >= 500).length;
  expect(failed).toBe(5);

  const [page = ''] = Object.entries(template.Resources).flatMap(([id, { Type }]) =>
    Type === 'AWS::CloudFront::Distribution' && id.startsWith('HostedPage') ? [id] : [],
  );
  /** What CloudFront reports. */
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
