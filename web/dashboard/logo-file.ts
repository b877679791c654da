export const logoTypes = ['image/png', 'image/jpeg', 'image/webp'];

const maximumBytes = 100_000;

/** What is wrong with the file, as far as the browser can tell. */
export async function checkLogo(file: File): Promise<string | undefined> {
  const { type, size } = file;
  if (!logoTypes.includes(type) || size === 0) return 'The logo must be a PNG, JPEG or WebP picture.';
  if (size > maximumBytes) return `The logo can be at most 100 kB. This one is ${Math.ceil(size / 1000)} kB.`;
  if (!(await isReadable(file)))
    return 'The logo must be a PNG, JPEG or WebP picture. This one cannot be read: save or download it again.';
  return undefined;
}

async function isReadable(file: File): Promise<boolean> {
  try {
    (await createImageBitmap(file)).close();
    return true;
  } catch {
    return false;
  }
}

export function toBase64(bytes: Uint8Array): string {
  let characters = '';
  for (const byte of bytes) characters += String.fromCharCode(byte);
  return btoa(characters);
}
