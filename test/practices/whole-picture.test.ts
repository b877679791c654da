import { describe, expect, test } from 'vitest';
import { isWholePicture, readPicture } from '../../functions/practices/picture.ts';
import { pictures } from '../support/pictures.ts';

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
