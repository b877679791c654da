export const logoTypes = ['image/png', 'image/jpeg', 'image/webp'];

const maximumBytes = 100_000;

/** What is wrong with the file, as far as the browser can tell. */
export async function checkLogo(file: File): Promise<string | undefined> {
  const { type, size } = file;
  if (!logoTypes.includes(type) || size === 0) return 'The logo must be a PNG, JPEG or WebP picture.';
  if (size > maximumBytes) return `The logo can be at most 100 kB. This one is ${Math.ceil(size / 1000)} kB.`;
  if (!(await isReadable(file)))
    return 'This picture cannot be read. Save or download it again, as a PNG, JPEG or WebP picture.';
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
