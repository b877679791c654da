/** In pixels: the largest place for a logo, in the settings, three times as dense as CSS pixels. */
const [mostWidth, mostHeight] = [960, 240];
/** The API's limit. */
const mostBytes = 100_000;
const accepted = ['image/png', 'image/jpeg', 'image/webp'];

/** The logo in base64, scaled to what the pages need. Undefined if the browser finds no picture in the file. */
export async function logoOf(file: File): Promise<string | undefined> {
  const picture = await createImageBitmap(file).catch(() => undefined);
  if (!picture) return undefined;
  try {
    const logo = isFine(file, picture) ? file : await scaled(picture);
    return logo && toBase64(new Uint8Array(await logo.arrayBuffer()));
  } finally {
    picture.close();
  }
}

function isFine({ type, size }: File, { width, height }: ImageBitmap): boolean {
  return accepted.includes(type) && size <= mostBytes && width <= mostWidth && height <= mostHeight;
}

/** A PNG, which keeps transparency. A photo is made smaller until its bytes fit. */
async function scaled(picture: ImageBitmap): Promise<Blob | undefined> {
  const { width, height } = picture;
  for (let scale = Math.min(1, mostWidth / width, mostHeight / height); ; scale *= 0.8) {
    const canvas = document.createElement('canvas');
    canvas.width = Math.max(1, Math.round(width * scale));
    canvas.height = Math.max(1, Math.round(height * scale));
    const context = canvas.getContext('2d');
    if (!context) return undefined;
    context.imageSmoothingQuality = 'high';
    context.drawImage(picture, 0, 0, canvas.width, canvas.height);
    const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve));
    if (!blob || blob.size <= mostBytes) return blob ?? undefined;
  }
}

export function toBase64(bytes: Uint8Array): string {
  let characters = '';
  for (const byte of bytes) characters += String.fromCharCode(byte);
  return btoa(characters);
}
