/** CRC-32 (ISO 3309, as in zip) of a text of ASCII characters. Ours, since importing `node:zlib` for it costs a function 3 ms of start. */
export function crc32(text: string): number {
  let remainder = 0xffffffff;
  for (const byte of Buffer.from(text)) {
    remainder ^= byte;
    for (let bit = 0; bit < 8; bit += 1) remainder = (remainder >>> 1) ^ (remainder & 1 ? 0xedb88320 : 0);
  }
  return (remainder ^ 0xffffffff) >>> 0;
}
