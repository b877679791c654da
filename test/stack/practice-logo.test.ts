import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { create, show, update } from '../../bin/practice/practice-commands.ts';
import { sessionView } from '../../functions/contract/patient-api.ts';
import { startTestStack, type TestStack } from '../support/local-stack.ts';
import { pictures } from '../support/pictures.ts';

const directory = mkdtempSync(join(tmpdir(), 'logos-'));
let service: TestStack;
beforeAll(async () => {
  service = await startTestStack();
});
afterAll(async () => {
  await service.stop();
  rmSync(directory, { recursive: true, force: true });
});

const { png, jpeg, losslessWebp: webp } = pictures;

/** The PNG, as its header says with another size. */
function sized(width: number, height: number): Buffer {
  const picture = Buffer.from(png);
  picture.writeUInt32BE(width, 16);
  picture.writeUInt32BE(height, 20);
  return picture;
}

/** The extended WebP, with the flag of one that moves. */
const moving = Buffer.from(pictures.extendedWebp);
moving.writeUInt8(moving.readUInt8(20) | 0x02, 20);

function fileOf(name: string, content: Buffer | string): string {
  const file = join(directory, name);
  writeFileSync(file, content);
  return file;
}

/** The practice as the patient API tells its page of it. */
async function practiceSeen(apiKey: string) {
  const { hostedUrl } = await service.createSession({}, { authorization: `Bearer ${apiKey}` });
  return sessionView.parse((await service.patient(hostedUrl)('GET', '')).body).practice;
}

describe("a practice's logo", () => {
  it.each([
    ['PNG', png, 'png', 'image/png'],
    ['JPEG', jpeg, 'jpg', 'image/jpeg'],
    ['WebP', webp, 'webp', 'image/webp'],
  ])(
    'in %s comes from the host of the page, byte for byte, and may be kept for ever',
    async (_, content, extension, contentType) => {
      const { practiceId, apiKey } = await create(
        service.operated,
        { name: 'Logo', logo: fileOf('logo.any', content) },
        Date.now(),
      );
      const { logoUrl = '' } = await practiceSeen(apiKey);
      expect(logoUrl).toMatch(new RegExp(`^/logos/${practiceId}/[0-9a-f]{16}\\.${extension}$`));
      const response = await fetch(service.hostedUrl + logoUrl);
      expect(response.status).toBe(200);
      expect(Object.fromEntries(response.headers)).toMatchObject({
        'content-type': contentType,
        'cache-control': 'public, max-age=31536000, immutable',
        'x-content-type-options': 'nosniff',
      });
      expect(Buffer.from(await response.arrayBuffer())).toEqual(content);
    },
  );

  it('can be changed and taken away; a page that is open keeps the one that it began with', async () => {
    const { practiceId: practice, apiKey } = await create(
      service.operated,
      { name: 'Logo', logo: fileOf('first.png', png) },
      Date.now(),
    );
    const first = await practiceSeen(apiKey);
    await update(service.operated, { practice, logo: fileOf('second.webp', webp) });
    const second = await practiceSeen(apiKey);
    expect(second.logoUrl).not.toBe(first.logoUrl);
    for (const { logoUrl } of [first, second]) expect((await fetch(`${service.hostedUrl}${logoUrl}`)).status).toBe(200);

    await update(service.operated, { practice, name: 'Renamed' });
    expect(await practiceSeen(apiKey)).toMatchObject({ name: 'Renamed', logoUrl: second.logoUrl });
    await update(service.operated, { practice, logo: 'none' });
    expect(await show(service.operated, { practice })).not.toHaveProperty('logoUrl');
    expect(await practiceSeen(apiKey)).not.toHaveProperty('logoUrl');
    await update(service.operated, { practice, name: 'Again', logo: 'none' });
    expect(await practiceSeen(apiKey)).toMatchObject({ name: 'Again' });
  });

  it.each([
    [
      'an SVG',
      fileOf('logo.svg', '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'),
      'The logo must be a PNG, JPEG or WebP picture.',
    ],
    [
      'a page that is named like a picture',
      fileOf('page.png', '<!doctype html>'),
      'The logo must be a PNG, JPEG or WebP picture.',
    ],
    [
      'a sound, which begins like a WebP',
      fileOf('sound.webp', 'RIFF\u0024\0\0\0WAVEfmt '),
      'The logo must be a PNG, JPEG or WebP picture.',
    ],
    ['an empty file', fileOf('empty.png', ''), 'The logo must be a PNG, JPEG or WebP picture.'],
    [
      'a picture of 100,001 bytes',
      fileOf('large.png', Buffer.concat([png, Buffer.alloc(100_001 - png.length)])),
      'The logo may have at most 100 kB.',
    ],
    [
      'a picture of 22,000 × 22,000 pixels',
      fileOf('huge.png', sized(22_000, 22_000)),
      'The logo may have at most 2000 pixels a side; this one has 22000 × 22000.',
    ],
    [
      'a picture of 2001 pixels on one side',
      fileOf('high.png', sized(40, 2001)),
      'The logo may have at most 2000 pixels a side; this one has 40 × 2001.',
    ],
    [
      'a picture that is 0 pixels wide',
      fileOf('none.png', sized(0, 24)),
      'The logo does not say its width and height: save the picture anew.',
    ],
    [
      'a picture that ends in its header',
      fileOf('cut.jpg', jpeg.subarray(0, 100)),
      'The logo does not say its width and height: save the picture anew.',
    ],
    ['a picture that moves', fileOf('moving.webp', moving), 'The logo must be a still picture; this one is animated.'],
    ['a file that is not there', join(directory, 'missing.png'), 'There is no file at --logo.'],
    [
      'a directory',
      (mkdirSync(join(directory, 'directory')), join(directory, 'directory')),
      'There is no file at --logo.',
    ],
  ])('is refused for %s, in one sentence and without a change', async (_, logo, message) => {
    await expect(create(service.operated, { name: 'Logo', logo }, Date.now())).rejects.toThrow(new Error(message));
    const { practiceId: practice } = service.practice;
    await expect(update(service.operated, { practice, name: 'Changed', logo })).rejects.toThrow(new Error(message));
    expect(await show(service.operated, { practice })).toMatchObject({ name: 'Lakeside Family Practice' });
  });

  it('may have 2000 pixels a side', async () => {
    expect(
      await update(service.operated, {
        practice: service.practice.practiceId,
        logo: fileOf('wide.png', sized(2000, 2000)),
      }),
    ).toHaveProperty('logoUrl');
  });

  it('may have 100,000 bytes, and belongs to a practice that exists', async () => {
    const logo = fileOf('largest.png', Buffer.concat([png, Buffer.alloc(100_000 - png.length)]));
    expect(await update(service.operated, { practice: service.practice.practiceId, logo })).toHaveProperty('logoUrl');
    await expect(update(service.operated, { practice: 'prc_none', logo })).rejects.toThrow(
      'There is no practice with this id.',
    );
  });
});
