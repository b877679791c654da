import { mkdtemp, readdir, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { TestPractice } from '../support/local-stack.ts';
import { onStack } from '../support/on-stack.ts';
import { runCommand } from '../support/run-command.ts';
import { waitUntilIdle } from '../support/table-contents.ts';

let service: TestPractice;
onStack.beforeAll(({ own }) => {
  service = own;
});

it('a practice exports all of its data and is closed', async () => {
  const { practiceId: practice, apiKey } = service.practice;
  const { sessionId } = await service.pay('user_good');
  await service.client.sandbox.advance(sessionId);
  await service.receiver.waitFor('session.payment.succeeded', sessionId);
  const pending = await service.connect('user_good');
  await waitUntilIdle(service.stack, practice);

  const to = join(await mkdtemp(join(tmpdir(), 'leaving-')), 'all');
  const { files } = await runCommand<{ files: Record<string, number> }>(service.operated, 'export', { practice, to });
  expect(files).toMatchObject({
    'settings.jsonl': 1,
    'sessions.jsonl': 2,
    'evidence.jsonl': 1,
    'events.jsonl': 2,
    'deliveries.jsonl': 2,
    'attempts.jsonl': 2,
    'webhookEndpoints.jsonl': 1,
    'apiKeys.jsonl': 1,
    'members.jsonl': 3,
  });
  expect((await readdir(to)).sort()).toEqual([...Object.keys(files), 'manifest.json'].sort());
  expect(JSON.parse(await readFile(join(to, 'manifest.json'), 'utf8'))).toMatchObject({ practiceId: practice, files });
  const texts = await Promise.all(Object.keys(files).map((name) => readFile(join(to, name), 'utf8')));
  const everything = texts.join('');
  expect(everything).toContain('Okafor');
  for (const secret of [service.receiver.secret, service.practice.password, apiKey.slice(-43)])
    expect(everything).not.toContain(secret);
  expect(everything).not.toMatch(/signingSecret|secretHash|tokenHash|testBankPassword/i);
  expect(everything).toContain('practice.exported');
  await expect(runCommand(service.operated, 'export', { practice, to })).rejects.toThrow('not empty');
  await expect(runCommand(service.operated, 'export', { practice })).rejects.toMatchObject({
    code: 'invalid_request',
    extra: { errors: [{ pointer: '/to', code: 'required' }] },
  });

  await expect(runCommand(service.operated, 'close', { practice })).rejects.toThrow(`--confirm ${practice}`);
  const operated = { ...service.operated, pause: async () => undefined };
  expect(await runCommand(operated, 'close', { practice, confirm: practice })).toMatchObject({
    status: 'closed',
    cancelledSessions: 1,
    removedMembers: 3,
  });
  expect(await service.answerTo(apiKey)).toBe('api_key_revoked');
  expect((await pending.patient.view()).body).toMatchObject({ status: 'cancelled' });
  await service.receiver.waitFor('session.payment.cancelled', pending.sessionId);
});
