import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { PutObjectCommand } from '@aws-sdk/client-s3';
import { OperatorError, type OperatedStack } from './stack.ts';

export interface Logo {
  readonly bytes: Buffer;
  readonly extension: 'png' | 'jpg' | 'webp';
  readonly contentType: string;
}

const largest = 100_000;

/** What each kind of picture begins with; a file's name says nothing. No SVG, as it can carry script. */
const kinds = [
  { extension: 'png', contentType: 'image/png', begins: /^\x89PNG\r\n\x1a\n/ },
  { extension: 'jpg', contentType: 'image/jpeg', begins: /^\xff\xd8\xff/ },
  { extension: 'webp', contentType: 'image/webp', begins: /^RIFF[^]{4}WEBP/ },
] as const;

/** Reads a practice's logo from a file; throws OperatorError where it is too large or no picture that we take. */
export async function readLogo(file: string): Promise<Logo> {
  const found = await stat(file).catch(() => undefined);
  if (!found?.isFile()) throw new OperatorError('There is no file at --logo.');
  if (found.size > largest) throw new OperatorError('The logo may have at most 100 kB.');
  const bytes = await readFile(file);
  const beginning = bytes.toString('latin1', 0, 16);
  const kind = kinds.find(({ begins }) => begins.test(beginning));
  if (!kind) throw new OperatorError('The logo must be a PNG, JPEG or WebP picture.');
  return { bytes, extension: kind.extension, contentType: kind.contentType };
}

/**
 * Copies a logo to where the hosted page comes from, so that a patient's browser asks nobody else for it, and returns its path there.
 * The name changes with the picture: it may be cached for ever, and a page that is open keeps the one that it began with.
 */
export async function storeLogo({ s3, pageBucket }: OperatedStack, practiceId: string, { bytes, extension, contentType }: Logo): Promise<string> {
  const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 16);
  const key = `logos/${practiceId}/${hash}.${extension}`;
  await s3.send(new PutObjectCommand({ Bucket: pageBucket, Key: key, Body: bytes, ContentType: contentType, CacheControl: 'public, max-age=31536000, immutable' }));
  return `/${key}`;
}
