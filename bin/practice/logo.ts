import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { PutObjectCommand } from '@aws-sdk/client-s3';
import { readPicture, type Picture } from './picture.ts';
import { OperatorError, type OperatedStack } from './stack.ts';

export interface Logo extends Picture {
  readonly bytes: Buffer;
}

const largest = 100_000;
/** Pixels, on either side. A phone unpacks four bytes for each, however few the file has. */
const longestSide = 2000;

/** Reads a practice's logo from a file; throws OperatorError where it is too large, moves, or is no picture that we take. */
export async function readLogo(file: string): Promise<Logo> {
  const found = await stat(file).catch(() => undefined);
  if (!found?.isFile()) throw new OperatorError('There is no file at --logo.');
  if (found.size > largest) throw new OperatorError('The logo may have at most 100 kB.');
  const bytes = await readFile(file);
  const picture = readPicture(bytes);
  if (!picture) throw new OperatorError('The logo must be a PNG, JPEG or WebP picture.');
  const { width, height, animated } = picture;
  if (width === 0 || height === 0)
    throw new OperatorError('The logo does not say its width and height: save the picture anew.');
  if (Math.max(width, height) > longestSide)
    throw new OperatorError(
      `The logo may have at most ${longestSide} pixels a side; this one has ${width} × ${height}.`,
    );
  if (animated) throw new OperatorError('The logo must be a still picture; this one is animated.');
  return { bytes, ...picture };
}

/**
 * Copies a logo to where the hosted page comes from, so that a patient's browser asks nobody else for it, and returns its path there.
 * The name changes with the picture: it may be cached for ever, and a page that is open keeps the one that it began with.
 */
export async function storeLogo(
  { s3, pageBucket }: OperatedStack,
  practiceId: string,
  { bytes, extension, contentType }: Logo,
): Promise<string> {
  const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 16);
  const key = `logos/${practiceId}/${hash}.${extension}`;
  await s3.send(
    new PutObjectCommand({
      Bucket: pageBucket,
      Key: key,
      Body: bytes,
      ContentType: contentType,
      CacheControl: 'public, max-age=31536000, immutable',
    }),
  );
  return `/${key}`;
}
