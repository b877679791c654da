import { describe, expect, it, test } from 'vitest';
import { isWholePicture, readPicture } from '../../functions/practices/logo.ts';
import { pictures } from '../support/pictures.ts';

const { png, jpeg, lossyWebp, losslessWebp, extendedWebp } = pictures;
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

  /** In a segment of its own, with an end of its own. */
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
