interface Tab {
  readonly href: string;
  readonly label: string;
  readonly current: boolean;
}

/** Links, so that a tab can be bookmarked and Back leaves it. */
export function Tabs({ label, tabs }: { readonly label: string; readonly tabs: readonly Tab[] }) {
  return (
    <nav class="tabs" aria-label={label}>
      {tabs.map((tab) => (
        <a key={tab.href} href={tab.href} aria-current={tab.current ? 'page' : undefined}>
          {tab.label}
        </a>
      ))}
    </nav>
  );
}
