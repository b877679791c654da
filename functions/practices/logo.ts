import { createHash } from 'node:crypto';
import { Problem } from '../contract/problem.ts';
import type { PutFile } from '../messages/practices/page-files.ts';
import { isWholePicture, readPicture, type Picture } from './picture.ts';

interface Logo extends Picture {
  readonly bytes: Uint8Array;
}

export const maximumLogoBytes = 100_000;
/** A phone needs four bytes of memory per pixel, however small the file is. */
const maximumSide = 2000;

/** Throws a Problem for a picture that is too large, cut off, animated or of another kind. */
export function parseLogo(bytes: Uint8Array): Logo {
  if (bytes.length > maximumLogoBytes) throw notAccepted(`The logo can be at most ${maximumLogoBytes / 1000} kB.`);
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const picture = readPicture(buffer);
  if (!picture) throw notAccepted('The logo must be a PNG, JPEG or WebP picture.');
  const { extension, width, height, animated } = picture;
  if (!isWholePicture(extension, buffer))
    throw notAccepted('The logo is cut off: the end of the file is missing. Save or download the picture again.');
  if (width === 0 || height === 0)
    throw notAccepted('The width and height are missing from the logo. Save the picture again.');
  if (Math.max(width, height) > maximumSide)
    throw notAccepted(`The logo can be at most ${maximumSide} pixels per side. This one is ${width} × ${height}.`);
  if (animated) throw notAccepted('The logo cannot be animated.');
  return { bytes, ...picture };
}

/** Returns the logo's path on the hosted page's host, the only host that a patient's browser contacts. */
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
