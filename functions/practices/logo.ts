import { createHash } from 'node:crypto';
import { Problem } from '../contract/problem.ts';
import type { PutFile } from '../messages/practices/page-files.ts';

/** False for a picture that is cut off. What comes after its end is ignored, as browsers do. */
export function isWholePicture(extension: Picture['extension'], bytes: Buffer): boolean {
  return { png: isWholePng, jpg: isWholeJpeg, webp: isWholeWebp }[extension](bytes);
}

/** PNG §5: chunks of 12 bytes and their data, the last one IEND. */
function isWholePng(bytes: Buffer): boolean {
  let chunk = 8;
  while (chunk + 12 <= bytes.length) {
    if (bytes.toString('latin1', chunk + 4, chunk + 8) === 'IEND') return true;
    chunk += 12 + bytes.readUInt32BE(chunk);
  }
  return false;
}

const endOfImage = 0xd9;

/** ITU-T T.81 §B.1.1: segments, then EOI. The EOI of a preview is inside a segment. */
function isWholeJpeg(bytes: Buffer): boolean {
  let marker = nextMarker(bytes, 2);
  while (bytes[marker + 1] !== endOfImage) {
    if (marker + 4 > bytes.length) return false;
    marker = nextMarker(bytes, marker + 2 + bytes.readUInt16BE(marker + 2));
  }
  return true;
}

/** Skips a scan's data, where 0 or a restart comes after FF, and fill bytes. */
function nextMarker(bytes: Buffer, start: number): number {
  const isMarker = (second = 0) => second !== 0 && second !== 0xff && (second < 0xd0 || second > 0xd7);
  let marker = bytes.indexOf(0xff, start);
  while (marker !== -1 && !isMarker(bytes[marker + 1])) marker = bytes.indexOf(0xff, marker + 1);
  return marker === -1 ? bytes.length : marker;
}

/** RFC 9649 §2.4: the file's header says how many bytes follow its first eight. */
function isWholeWebp(bytes: Buffer): boolean {
  return bytes.length >= 8 + bytes.readUInt32LE(4);
}

interface Picture {
  readonly extension: 'png' | 'jpg' | 'webp';
  readonly contentType: string;
  /** In pixels. 0 if the header does not say. */
  readonly width: number;
  readonly height: number;
  readonly animated: boolean;
}

type Dimensions = Pick<Picture, 'width' | 'height' | 'animated'>;

const unknown: Dimensions = { width: 0, height: 0, animated: false };

/** Recognized by their first bytes, in hexadecimal. No SVG: it can contain scripts. */
const kinds = [
  { extension: 'png', contentType: 'image/png', begins: /^89504e470d0a1a0a/, dimensions: ofPng },
  { extension: 'jpg', contentType: 'image/jpeg', begins: /^ffd8ff/, dimensions: ofJpeg },
  { extension: 'webp', contentType: 'image/webp', begins: /^52494646.{8}57454250/, dimensions: ofWebp },
] as const;

/** In bytes. Every fixed header fits; a shorter file is broken. */
const shortest = 30;

/** Reads only the header. Undefined if it is not a PNG, JPEG or WebP. */
export function readPicture(bytes: Buffer): Picture | undefined {
  const kind = kinds.find(({ begins }) => begins.test(bytes.toString('hex', 0, 12)));
  if (!kind) return undefined;
  const { extension, contentType, dimensions } = kind;
  return { extension, contentType, ...(bytes.length < shortest ? unknown : dimensions(bytes)) };
}

/** PNG §5.3, §11.2.1: IHDR is the first chunk; acTL before IDAT means animation. */
function ofPng(bytes: Buffer): Dimensions {
  const typeAt = (chunk: number) => bytes.toString('latin1', chunk + 4, chunk + 8);
  let chunk = 8;
  if (typeAt(chunk) !== 'IHDR') return unknown;
  let animated = false;
  while (chunk + 8 <= bytes.length && typeAt(chunk) !== 'IDAT') {
    if (typeAt(chunk) === 'acTL') animated = true;
    chunk += 12 + bytes.readUInt32BE(chunk);
  }
  return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20), animated };
}

/** ITU-T T.81 §B.1.1.3: C0 to CF except DHT, JPG and DAC. */
const frameStarts = [0xc0, 0xc1, 0xc2, 0xc3, 0xc5, 0xc6, 0xc7, 0xc9, 0xca, 0xcb, 0xcd, 0xce, 0xcf];
const scanStarts = 0xda;

/** The frame header has the size. Previews are inside other segments. */
function ofJpeg(bytes: Buffer): Dimensions {
  let segment = 2;
  while (segment + 9 <= bytes.length && bytes[segment] === 0xff) {
    const marker = bytes.readUInt8(segment + 1);
    if (marker === scanStarts) return unknown;
    if (frameStarts.includes(marker))
      return { height: bytes.readUInt16BE(segment + 5), width: bytes.readUInt16BE(segment + 7), animated: false };
    // Fill bytes may come before any marker.
    segment += marker === 0xff ? 1 : 2 + bytes.readUInt16BE(segment + 2);
  }
  return unknown;
}

/** RFC 9649 §2.5–2.7: the first chunk is lossy, lossless or extended. */
function ofWebp(bytes: Buffer): Dimensions {
  const low14Bits = 0x3fff;
  switch (bytes.toString('latin1', 12, 16)) {
    case 'VP8 ':
      return bytes.readUIntBE(23, 3) === 0x9d012a
        ? { width: bytes.readUInt16LE(26) & low14Bits, height: bytes.readUInt16LE(28) & low14Bits, animated: false }
        : unknown;
    case 'VP8L': {
      const size = bytes.readUInt32LE(21);
      return bytes[20] === 0x2f
        ? { width: (size & low14Bits) + 1, height: ((size >>> 14) & low14Bits) + 1, animated: false }
        : unknown;
    }
    case 'VP8X':
      return {
        width: bytes.readUIntLE(24, 3) + 1,
        height: bytes.readUIntLE(27, 3) + 1,
        animated: (bytes.readUInt8(20) & 0x02) !== 0,
      };
    default:
      return unknown;
  }
}

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
