import { randomBytes } from 'node:crypto';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import type { DashboardRoute } from '../../functions/contract/dashboard-route.ts';
import type { PracticeRoute } from '../../functions/contract/practice-route.ts';
import { platformApiRoutes } from '../../functions/contract/practices/platform-practices.ts';
import { dashboardRoutes, sandboxDashboardRoutes, practiceRoutes } from '../../functions/contract/routes.ts';
import { sandboxPracticeRoutes } from '../../functions/contract/sessions/sandbox-session.ts';
import { addKey } from '../../functions/practices/keys.ts';
import { getApiKey } from '../../functions/store/practices/api-keys.ts';
import { createPlatform, joinPlatform } from '../../functions/practices/platforms.ts';
import { author, createPractice } from '../support/create-practice.ts';
import { dashboardUser, lastSeenBefore, type DashboardUser } from '../support/dashboard-user.ts';
import type { TestPractice } from '../support/local-stack.ts';
import { onStack } from '../support/on-stack.ts';
import { databaseOf, type TestDatabase } from '../support/tables.ts';

let service: TestPractice;
let database: TestDatabase;
let admin: DashboardUser;
let key: { keyId: string; apiKey: string };
let ofPlatform: { keyId: string; apiKey: string; practiceId: string };

onStack.beforeAll(async ({ own }) => {
  service = own;
  database = databaseOf(own.stack);
  const { practiceId } = own.practice;
  admin = await newAdmin();
  key = await addKey(own.operated, { practiceId, name: 'Backend', author }, Date.now());
  const { platformId, apiKey } = await createPlatform(own.operated, { name: 'Harbor Software', author }, Date.now());
  const joined = await createPractice(own.operated, { name: 'Of the platform', author }, Date.now());
  await joinPlatform(own.operated, { practiceId: joined.practiceId, platformId, author }, Date.now());
  ofPlatform = { apiKey, keyId: apiKey.split('_')[2] ?? '', practiceId: joined.practiceId };
});

const newAdmin = () => dashboardUser(service, { practiceId: service.practice.practiceId, role: 'admin' });

const ofSignedIn = Object.entries<DashboardRoute>({ ...dashboardRoutes, ...sandboxDashboardRoutes })
  .filter(([, { access }]) => access !== 'anyone')
  .map(([name]) => name as keyof typeof dashboardRoutes);

/** Nothing has these ids. */
const nobody = Object.fromEntries(
  ['sessionId', 'keyId', 'endpointId', 'eventId', 'userId', 'invitationId'].map((name) => [name, 'none']),
);

describe('a member who was last seen some minutes ago', () => {
  it.each(ofSignedIn.filter((name) => name !== 'signOut'))('is seen by %s', async (name) => {
    const lastSeen = await lastSeenBefore(database, admin);
    const before = await lastSeen();
    const { status } = await admin.call(name, { ...nobody, practiceId: service.practice.practiceId }, {});
    expect(status).toBeLessThan(500);
    expect(await lastSeen()).not.toBe(before);
  });

  it('may sign out', async () => {
    const leaving = await newAdmin();
    const lastSeen = await lastSeenBefore(database, leaving);
    expect(await leaving.call('signOut', {}, {})).toMatchObject({ status: 200 });
    expect(await lastSeen()).toBeUndefined();
  });
});

describe("the day of an API key's last use", () => {
  const routes = { ...practiceRoutes, ...sandboxPracticeRoutes, ...platformApiRoutes };
  it.each(Object.entries<PracticeRoute>(routes))('is noted by %s', async (_, route) => {
    const { keyId, apiKey } = route.platform === 'only' ? ofPlatform : key;
    await database.documents.send(
      new UpdateCommand({
        TableName: database.tables.apiKeys,
        Key: { keyId },
        UpdateExpression: 'SET lastUsedOn = :then',
        ConditionExpression: 'attribute_exists(keyId)',
        ExpressionAttributeValues: { ':then': '2026-01-01' },
      }),
    );
    const response = await fetch(
      `${service.apiUrl}${route.path.replace('{practiceId}', ofPlatform.practiceId).replaceAll(/\{\w+\}/g, randomBytes(8).toString('hex'))}`,
      {
        method: route.method,
        headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
        ...(route.method !== 'GET' && route.method !== 'DELETE' && { body: '{}' }),
      },
    );
    await response.body?.cancel();
    expect(response.status).toBeLessThan(500);
    expect((await getApiKey(database, keyId))?.lastUsedOn).not.toBe('2026-01-01');
  });
});
