import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createPractice } from '../../functions/practices/create.ts';
import { getSettings, updateSettings } from '../../functions/practices/settings.ts';
import { author } from '../support/create-practice.ts';
import { pictures } from '../support/pictures.ts';
import { problemOf } from '../support/problems.ts';
import { startTestTables } from '../support/tables.ts';
import { aPractice, practiceTools } from './a-practice.ts';

const tables = await startTestTables();

const { png, jpeg, losslessWebp: webp } = pictures;

function sized(width: number, height: number): Buffer {
  const picture = Buffer.from(png);
  picture.writeUInt32BE(width, 16);
  picture.writeUInt32BE(height, 20);
  return picture;
}

function padded(length: number): Buffer {
  return Buffer.concat([png, Buffer.alloc(length - png.length)]);
}

const animated = Buffer.from(pictures.extendedWebp);
animated.writeUInt8(animated.readUInt8(20) | 0x02, 20);

describe('a logo', () => {
  it.each([
    ['PNG', png, 'png', 'image/png'],
    ['JPEG', jpeg, 'jpg', 'image/jpeg'],
    ['WebP', webp, 'webp', 'image/webp'],
  ])('in %s is stored as it is, under a name that can be cached forever', async (_, bytes, extension, contentType) => {
    const { tools, practiceId } = await aPractice(tables, { logo: bytes });
    const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 16);
    const key = `logos/${practiceId}/${hash}.${extension}`;
    expect(tools.files).toEqual([{ key, bytes, contentType, cacheControl: 'public, max-age=31536000, immutable' }]);
    expect(await getSettings(tools, { practiceId })).toMatchObject({ logoUrl: `/${key}` });
  });

  it('can be replaced and removed, and stays through other changes', async () => {
    const { tools, practiceId } = await aPractice(tables, { logo: png });
    const { logoUrl } = await updateSettings(tools, { author, practiceId, logo: webp }, Date.now());
    expect(logoUrl).toMatch(/\.webp$/);
    expect(await updateSettings(tools, { author, practiceId, name: 'Renamed' }, Date.now())).toMatchObject({ logoUrl });
    const removed = await updateSettings(tools, { author, practiceId, logo: null }, Date.now());
    expect(removed.name).toBe('Renamed');
    expect(removed.logoUrl).toBeUndefined();
    expect(await updateSettings(tools, { author, practiceId, logo: null, name: 'Again' }, Date.now())).toMatchObject({
      name: 'Again',
    });
  });

  it.each([
    [
      'an SVG',
      Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'),
      'PNG, JPEG or WebP',
    ],
    ['an HTML page', Buffer.from('<!doctype html>'), 'PNG, JPEG or WebP'],
    ['a sound, which begins like a WebP', Buffer.from('RIFF\u0024\0\0\0WAVEfmt '), 'PNG, JPEG or WebP'],
    ['an empty file', Buffer.alloc(0), 'PNG, JPEG or WebP'],
    ['a picture of 100,001 bytes', padded(100_001), 'at most 100 kB'],
    ['a picture of 22,000 × 22,000 pixels', sized(22_000, 22_000), 'at most 2000 pixels per side'],
    ['a picture of 2001 pixels on one side', sized(40, 2001), 'This one is 40 × 2001'],
    ['a picture that is 0 pixels wide', sized(0, 24), 'width and height are missing'],
    ['a picture that ends in its header', jpeg.subarray(0, 100), 'the end of the file is missing'],
    ['a picture that is cut off in the middle', png.subarray(0, png.length / 2), 'Save or download the picture again'],
    ['an animated picture', animated, 'cannot be animated'],
  ])('is refused if it is %s, and nothing changes', async (_, logo, detail) => {
    const { tools, practiceId } = await aPractice(tables);
    const before = await getSettings(tools, { practiceId });
    const refusal = { code: 'logo_not_accepted', message: expect.stringContaining(detail) as string };
    expect(
      await problemOf(updateSettings(tools, { author, practiceId, name: 'Changed', logo }, Date.now())),
    ).toMatchObject(refusal);
    expect(await getSettings(tools, { practiceId })).toEqual(before);
    expect(await problemOf(createPractice(tools, { author, name: 'Refused', logo }, Date.now()))).toMatchObject(
      refusal,
    );
    expect(tools.files).toEqual([]);
  });

  it.each([
    ['2000 pixels per side', sized(2000, 2000)],
    ['100,000 bytes', padded(100_000)],
  ])('can have %s', async (_, logo) => {
    const { tools, practiceId } = await aPractice(tables);
    expect((await updateSettings(tools, { author, practiceId, logo }, Date.now())).logoUrl).toContain(practiceId);
  });

  it('is not stored for a practice that does not exist', async () => {
    const tools = practiceTools(tables);
    expect(
      await problemOf(updateSettings(tools, { author, practiceId: 'prc_none', logo: png }, Date.now())),
    ).toMatchObject({
      code: 'practice_not_found',
    });
    expect(tools.files).toEqual([]);
  });
});
