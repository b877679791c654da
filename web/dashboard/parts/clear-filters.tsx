/** The link is gone once it is followed, so the heading takes the focus. */
export function ClearFilters({ href }: { readonly href: string }) {
  return (
    <a class="clear" href={href} onClick={() => document.querySelector('h1')?.focus({ preventScroll: true })}>
      Clear filters
    </a>
  );
}
