import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import { expect, it } from 'vitest';
import { author, createPractice } from '../support/create-practice.ts';
import type { TestPractice } from '../support/local-stack.ts';
import { onStack } from '../support/on-stack.ts';
import { originSecretsOf, pagesApiUrlOf, throughDistribution } from '../support/http-request.ts';
import { patientOf } from '../support/patient.ts';
import { databaseOf } from '../support/tables.ts';

let service: TestPractice;
onStack.beforeAll(({ own }) => {
  service = own;
});

it("does not answer one patient with another's error", async () => {
  const database = databaseOf(service.stack);
  const broken = await createPractice(
    service.operated,
    { author, name: 'Broken', supportPhone: '+1 555 010 0100' },
    Date.now(),
  );
  const { hostedUrl: failing } = await service.createSession({}, { apiKey: broken.apiKey });
  const { hostedUrl: working } = await service.createSession();
  const { practiceId } = broken;
  await database.documents.send(new DeleteCommand({ TableName: database.tables.practices, Key: { practiceId } }));

  expect((await patientOf(failing).view()).status).toBe(500);
  expect((await patientOf(working).view()).status).toBe(200);
});

it.each([
  ['GET', '/api/patient/session'],
  ['POST', '/api/patient/session/payment'],
  ['GET', '/api/dashboard/me'],
  ['GET', '/api/dashboard/sign-in'],
])('does not serve %s %s at the published address', async (method, path) => {
  const secret = throughDistribution((await originSecretsOf(service.stack))[0]);
  const response = await fetch(service.apiUrl + path, { method, headers: secret, redirect: 'manual' });
  expect([response.status, await response.json()]).toEqual([404, expect.objectContaining({ code: 'route_not_found' })]);
});

it.each([
  ['PUT', '/api/patient/session/payment', 'POST'],
  ['PATCH', '/api/dashboard/me', 'GET'],
])("answers %s %s at a page's host with the methods that the path has", async (method, path, methods) => {
  const page = path.startsWith('/api/patient') ? service.hostedUrl : service.dashboardUrl;
  const { status, headers } = await fetch(page + path, { method });
  expect([status, headers.get('allow')]).toEqual([405, methods]);
});

it("does not serve practices at the pages' hosts or their API", async () => {
  const ask = async (origin: string) => (await fetch(`${origin}/api/practice/sessions`)).status;
  expect(await ask(pagesApiUrlOf(service.stack))).toBe(404);
  // The bucket's response: it has no such file, and does not say so.
  for (const page of [service.hostedUrl, service.dashboardUrl]) expect(await ask(page)).toBe(403);
});

it("answers patients and staff only through the pages' distributions", async () => {
  const [current, next] = await originSecretsOf(service.stack);
  const pagesApiUrl = pagesApiUrlOf(service.stack);
  const codeOf = async (origin: string, path: string, secret?: string) => {
    const headers = secret === undefined ? {} : { 'x-origin-secret': secret };
    const response = await fetch(`${origin}${path}`, { headers, redirect: 'manual' });
    return response.status === 302 ? 'redirected' : ((await response.json()) as { code: string }).code;
  };
  for (const [path, answer, page] of [
    ['/api/patient/session', 'link_not_found', service.hostedUrl],
    ['/api/dashboard/me', 'not_signed_in', service.dashboardUrl],
    ['/api/dashboard/sign-in', 'redirected', service.dashboardUrl],
  ] as const) {
    for (const secret of [undefined, '', 'guessed', `${current},${next}`])
      expect(await codeOf(pagesApiUrl, path, secret), path).toBe('wrong_host');
    for (const secret of [current, next]) expect(await codeOf(pagesApiUrl, path, secret), path).toBe(answer);
    expect(await codeOf(page, path, 'guessed'), path).toBe(answer);
  }
});
