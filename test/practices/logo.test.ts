import { createHash } from 'node:crypto';
import { describe, expect, it, test } from 'vitest';
import { createPractice } from '../../functions/practices/create.ts';
import { getSettings, updateSettings } from '../../functions/practices/settings.ts';
import { isWholePicture, readPicture } from '../../functions/practices/logo.ts';
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

const { lossyWebp, losslessWebp, extendedWebp } = pictures;
const inserted = (picture: Buffer, start: number, ...bytes: Buffer[]) =>
  Buffer.concat([picture.subarray(0, start), ...bytes, picture.subarray(start)]);

/** An 8 × 8 preview, which cameras keep in its own segment. */
const preview = Buffer.from([0xff, 0xe1, 0, 15, 0xff, 0xd8, 0xff, 0xc0, 0, 11, 8, 0, 8, 0, 8, 1, 0]);
const frameAt = jpeg.indexOf(Buffer.from([0xff, 0xc0]));
const animationChunk = Buffer.from('\0\0\0\x08acTL\0\0\0\x02\0\0\0\0CRCs', 'latin1');

describe('a picture', () => {
  it.each([
    ['PNG', png, 'png'],
    ['JPEG', jpeg, 'jpg'],
    ['progressive JPEG', Buffer.from(jpeg).fill(0xc2, frameAt + 1, frameAt + 2), 'jpg'],
    ['JPEG with a preview of another size', inserted(jpeg, 2, preview), 'jpg'],
    ['JPEG with fill bytes before a marker', inserted(jpeg, frameAt, Buffer.from([0xff, 0xff])), 'jpg'],
    ['lossy WebP', lossyWebp, 'webp'],
    ['lossless WebP', losslessWebp, 'webp'],
    ['WebP with transparency', extendedWebp, 'webp'],
  ])('as %s is read to be 40 pixels wide, 24 high and still', (_, bytes, extension) => {
    expect(readPicture(bytes)).toMatchObject({ extension, width: 40, height: 24, animated: false });
  });

  it('is animated if its header says so', () => {
    expect(readPicture(inserted(png, 33, animationChunk))).toMatchObject({ width: 40, height: 24, animated: true });
    const moving = Buffer.from(extendedWebp);
    moving.writeUInt8(0x12, 20);
    expect(readPicture(moving)).toMatchObject({ width: 40, height: 24, animated: true });
  });

  it('may be as large as its kind allows', () => {
    const widest = Buffer.from(png);
    widest.writeUInt32BE(0x7fff_ffff, 16);
    expect(readPicture(widest)).toMatchObject({ width: 0x7fff_ffff, height: 24 });
    const lossless = Buffer.from(losslessWebp);
    lossless.writeUInt32LE(0xffff_ffff, 21);
    expect(readPicture(lossless)).toMatchObject({ width: 16_384, height: 16_384 });
    const extended = Buffer.from(extendedWebp).fill(0xff, 24, 30);
    expect(readPicture(extended)).toMatchObject({ width: 16_777_216, height: 16_777_216 });
  });

  it('that is cut off anywhere has its size or none, never a wrong one', () => {
    for (const bytes of Object.values(pictures)) {
      for (let end = 16; end < bytes.length; end += 1) {
        const { width, height } = readPicture(bytes.subarray(0, end))!;
        expect([
          [0, 0],
          [40, 24],
        ]).toContainEqual([width, height]);
      }
    }
  });

  it.each([
    ['PNG that begins with another chunk', Buffer.from(png).fill('tEXt', 12, 16)],
    ['JPEG whose scan comes before its frame', Buffer.from(jpeg).fill(0xda, 3, 4)],
    ['JPEG with garbage between its segments', inserted(jpeg, frameAt, Buffer.from([0]))],
    ['JPEG without a frame', jpeg.subarray(0, frameAt)],
    ['lossy WebP without its start code', Buffer.from(lossyWebp).fill(0, 23, 24)],
    ['lossless WebP without its signature', Buffer.from(losslessWebp).fill(0, 20, 21)],
    ['WebP that begins with another chunk', Buffer.from(lossyWebp).fill('ALPH', 12, 16)],
  ])('has no size as %s', (_, bytes) => {
    expect(readPicture(bytes)).toMatchObject({ width: 0, height: 0 });
  });
});

describe('whole picture', () => {
  const { jpeg } = pictures;
  const isWhole = (bytes: Buffer) => isWholePicture(readPicture(bytes)!.extension, bytes);

  /** A preview in its own segment, with its own end marker. */
  const preview = Buffer.from([0xff, 0xe1, 0, 8, 0xff, 0xd8, 0xff, 0xd9, 0, 0]);
  const withPreview = Buffer.concat([jpeg.subarray(0, 2), preview, jpeg.subarray(2)]);

  const end = Buffer.from([0xff, 0xd9]);
  const scanAt = jpeg.indexOf(Buffer.from([0xff, 0xda]));
  const scan = jpeg.subarray(scanAt, -2);
  const restarted = Buffer.concat([jpeg.subarray(0, -2), Buffer.from([0xff, 0xd0, 0xff, 0]), end]);
  const twoScans = Buffer.concat([jpeg.subarray(0, -2), scan, end]);
  const filled = Buffer.concat([jpeg.subarray(0, -2), Buffer.from([0xff]), end]);

  describe.each(
    Object.entries({ ...pictures, withPreview, restarted, twoScans, filled }).map(([name, bytes]) => ({ name, bytes })),
  )('$name', ({ bytes }) => {
    test('is whole, also with padding after its end', () => {
      expect(isWhole(bytes)).toBe(true);
      expect(isWhole(Buffer.concat([bytes, Buffer.alloc(5)]))).toBe(true);
    });

    test('is not whole if it is cut off anywhere', () => {
      for (let length = 12; length < bytes.length; length += 1) expect(isWhole(bytes.subarray(0, length))).toBe(false);
    });
  });
});
