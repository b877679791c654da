import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { sessionView } from '../../functions/contract/sessions/session-view.ts';
import { day } from '../../functions/domain/time.ts';
import { author, createPractice } from '../support/create-practice.ts';
import { getSettings, updateSettings } from '../../functions/practices/settings.ts';
import type { TestPractice } from '../support/local-stack.ts';
import { onStack } from '../support/on-stack.ts';
import { patientOf } from '../support/patient.ts';
import { pictures } from '../support/pictures.ts';
import { runCommand } from '../support/run-command.ts';
import { patience } from '../support/until.ts';

const directory = mkdtempSync(join(tmpdir(), 'logos-'));
let service: TestPractice;
onStack.beforeAll(({ own }) => {
  service = own;
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

describe("a practice's settings", () => {
  it('apply to sessions that are created after a change', async () => {
    const before = { name: 'Before', supportPhone: '+1 555 010 0100' };
    const { practiceId, apiKey } = await createPractice(service.operated, { ...before, author }, Date.now());
    const change = { name: 'After', linkLifetimeDays: 1, sessionLifetimeSeconds: 600, invoiceGuard: false };
    const updated = await updateSettings(service.operated, { author, practiceId, ...change }, Date.now());
    expect(updated).toMatchObject({ practiceId, supportPhone: '+1 555 010 0100', ...change });
    expect(await getSettings(service.operated, { practiceId })).toEqual(updated);

    const { sessionId, hostedUrl } = await service.createSession({}, { apiKey });
    const { createdAt, expiresAt } = await service.clientOf(apiKey).sessions.get(sessionId);
    expect(Date.parse(expiresAt) - Date.parse(createdAt)).toBe(day);
    const { body } = await patientOf(hostedUrl).open();
    expect(Date.parse(String(body['expiresAt'])) - Date.parse(String(body['openedAt']))).toBe(600_000);
    expect(body['practice']).toMatchObject({ name: 'After' });
  });
});

it("a practice's address and its own pages reach the patient until they are removed", async () => {
  const { practiceId: practice, apiKey } = await createPractice(service.operated, { name: 'Own', author }, Date.now());
  const own = {
    postalAddress: '120 Lakeside Drive\nSpringfield, IL 62701',
    privacyUrl: 'https://lakeside.example/privacy',
    termsUrl: 'https://lakeside.example/terms',
  };
  await updateSettings(service.operated, { author, practiceId: practice, ...own }, Date.now());
  await vi.waitFor(async () => expect(await practiceSeen(apiKey)).toMatchObject(own), patience);
  const removed = await run('update', {
    practice,
    postalAddress: 'none',
    privacyUrl: 'none',
    termsUrl: 'none',
  });
  for (const name of Object.keys(own)) expect(removed).not.toHaveProperty(name);
  await vi.waitFor(
    async () => expect(Object.keys(await practiceSeen(apiKey))).toEqual(expect.not.arrayContaining(Object.keys(own))),
    patience,
  );
});

const { png, losslessWebp: webp } = pictures;

function fileOf(name: string, content: Buffer): string {
  const file = join(directory, name);
  writeFileSync(file, content);
  return file;
}

async function practiceSeen(apiKey: string) {
  const { hostedUrl } = await service.createSession({}, { apiKey });
  return sessionView.parse((await patientOf(hostedUrl).view()).body).practice;
}

const run = (name: string, typed: Record<string, string>) =>
  runCommand<Record<string, string>>(service.operated, name, typed);

describe("a practice's logo", () => {
  it("is served by the hosted page's host, byte for byte, and can be cached forever", async () => {
    const { practiceId, apiKey = '' } = await run('create', { name: 'Logo', logo: fileOf('logo.any', png) });
    const { logoUrl = '' } = await practiceSeen(apiKey);
    expect(logoUrl).toMatch(new RegExp(`^/logos/${practiceId}/[0-9a-f]{16}\\.png$`));
    const response = await fetch(service.hostedUrl + logoUrl);
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'image/png',
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
    });
    expect(Buffer.from(await response.arrayBuffer())).toEqual(png);
  });

  it('can be replaced and removed; a page that is open keeps the one it has', async () => {
    const logo = fileOf('first.png', png);
    const { practiceId: practice = '', apiKey = '' } = await run('create', { name: 'Logo', logo });
    const first = await practiceSeen(apiKey);
    await run('update', { practice, logo: fileOf('second.webp', webp) });
    const second = await practiceSeen(apiKey);
    expect(second.logoUrl).not.toBe(first.logoUrl);
    for (const { logoUrl } of [first, second]) expect((await fetch(`${service.hostedUrl}${logoUrl}`)).status).toBe(200);

    await run('update', { practice, logo: 'none' });
    expect(await run('show', { practice })).not.toHaveProperty('logoUrl');
    expect(await practiceSeen(apiKey)).not.toHaveProperty('logoUrl');
  });

  it('is not created where `none` is given instead of a file', async () => {
    const { practiceId: practice = '' } = await run('create', { name: 'Logo', logo: 'none' });
    expect(await run('show', { practice })).not.toHaveProperty('logoUrl');
  });

  it.each([
    [
      'a large file',
      fileOf('large.png', Buffer.concat([png, Buffer.alloc(200_000)])),
      'The logo can be at most 100 kB.',
    ],
    ['a file that is cut off', fileOf('cut-off.png', png.subarray(0, 60)), 'the end of the file is missing'],
    ['a missing file', join(directory, 'missing.png'), `There is no file ${join(directory, 'missing.png')}.`],
    ['a directory', directory, `There is no file ${directory}.`],
  ])('is refused for %s', async (_, logo, message) => {
    await expect(run('create', { name: 'Logo', logo })).rejects.toThrow(message);
    const { practiceId: practice } = service.practice;
    await expect(run('update', { practice, name: 'Changed', logo })).rejects.toThrow(message);
    expect(await run('show', { practice })).toMatchObject({ name: 'Lakeside Family Practice' });
  });
});
