import { createHash } from 'node:crypto';
import { Problem } from '../contract/problems.ts';
import { readPicture, type Picture } from './picture.ts';

/** Puts a file where the hosted page is served from; `key` is its path there. */
export type PutFile = (file: {
  readonly key: string;
  readonly bytes: Uint8Array;
  readonly contentType: string;
  readonly cacheControl: string;
}) => Promise<void>;

interface Logo extends Picture {
  readonly bytes: Uint8Array;
}

/** In bytes. */
export const maximumLogoBytes = 100_000;
/** Pixels per side: a phone unpacks four bytes for each, however small the file is. */
const maximumSide = 2000;

/** Reads a logo's header; throws a problem if the picture is too large, animated, or of a kind we do not accept. */
export function parseLogo(bytes: Uint8Array): Logo {
  if (bytes.length > maximumLogoBytes) throw notAccepted(`The logo can be at most ${maximumLogoBytes / 1000} kB.`);
  const picture = readPicture(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  if (!picture) throw notAccepted('The logo must be a PNG, JPEG or WebP picture.');
  const { width, height, animated } = picture;
  if (width === 0 || height === 0)
    throw notAccepted('The width and height are missing from the logo. Save the picture again.');
  if (Math.max(width, height) > maximumSide)
    throw notAccepted(`The logo can be at most ${maximumSide} pixels per side. This one is ${width} × ${height}.`);
  if (animated) throw notAccepted('The logo cannot be animated.');
  return { bytes, ...picture };
}

/**
 * Stores a logo on the hosted page's own host, so that a patient's browser contacts nobody else, and returns its path.
 * The path contains the picture's hash, so the file can be cached forever.
 */
export async function storeLogo(
  putFile: PutFile,
  practiceId: string,
  { bytes, extension, contentType }: Logo,
): Promise<string> {
  const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 16);
  const key = `logos/${practiceId}/${hash}.${extension}`;
  await putFile({ key, bytes, contentType, cacheControl: 'public, max-age=31536000, immutable' });
  return `/${key}`;
}

function notAccepted(detail: string): Problem {
  return new Problem('logo_not_accepted', detail);
}
