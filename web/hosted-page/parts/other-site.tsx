/** Opens in a new tab, so that this one keeps its step. */
export function OtherSite({ url, children }: { url: string; children: string }) {
  return (
    <a href={url} target="_blank" rel="noopener noreferrer">
      {children}
    </a>
  );
}
