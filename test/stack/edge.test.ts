import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { author } from '../support/author.ts';
import { createPractice } from '../support/create-practice.ts';
import { startTestStack, type TestStack } from '../support/local-stack.ts';
import { patientOf } from '../support/patient.ts';

let service: TestStack;
beforeAll(async () => {
  service = await startTestStack();
});
afterAll(() => service.stop());

it("does not answer one patient with another's error", async () => {
  const { database } = service.operated;
  const broken = await createPractice(
    service.operated,
    { author, name: 'Broken', supportPhone: '+1 555 010 0100' },
    Date.now(),
  );
  const { hostedUrl: failing } = await service.createSession({}, { apiKey: broken.apiKey });
  const { hostedUrl: working } = await service.createSession();
  const { practiceId } = broken;
  await database.client.send(new DeleteCommand({ TableName: database.tables.practices, Key: { practiceId } }));

  expect((await patientOf(failing).view()).status).toBe(500);
  expect((await patientOf(working).view()).status).toBe(200);
});
