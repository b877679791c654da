/** Saves a file as the browser's own downloads do. */
export function saveFile(text: string, name: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/csv;charset=utf-8' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // Some browsers read the URL a moment later.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
