import type { Picture } from './picture.ts';

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
