export const logoTypes = ['image/png', 'image/jpeg', 'image/webp'];

const maximumBytes = 100_000;

/** What is wrong with the file, as far as the browser can tell. */
export function checkLogo({ type, size }: Pick<File, 'type' | 'size'>): string | undefined {
  if (!logoTypes.includes(type) || size === 0) return 'The logo must be a PNG, JPEG or WebP picture.';
  if (size > maximumBytes) return `The logo can be at most 100 kB. This one is ${Math.ceil(size / 1000)} kB.`;
  return undefined;
}

export function toBase64(bytes: Uint8Array): string {
  let characters = '';
  for (const byte of bytes) characters += String.fromCharCode(byte);
  return btoa(characters);
}
