export function pick<Row extends object, Name extends keyof Row>(row: Row, names: readonly Name[]): Pick<Row, Name>;
export function pick(row: Readonly<Record<string, unknown>>, names: readonly string[]): object {
  return Object.fromEntries(names.filter((name) => name in row).map((name) => [name, row[name]]));
}

export function omit<Row extends object, Name extends keyof Row>(row: Row, names: readonly Name[]): Omit<Row, Name>;
export function omit(row: Readonly<Record<string, unknown>>, names: readonly string[]): object {
  return Object.fromEntries(Object.entries(row).filter(([name]) => !names.includes(name)));
}

/** Reads a list page by page, each from where the last one ended. */
export async function* pagesOf<Page extends { readonly after?: unknown }>(
  read: (after?: Page['after']) => Promise<Page>,
): AsyncGenerator<Page> {
  for (let page = await read(); ; page = await read(page.after)) {
    yield page;
    if (page.after === undefined) return;
  }
}

/** Splits items into batches of `size`, in order. The last batch may be shorter. */
export function batchesOf<Item>(items: readonly Item[], size: number): Item[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, batch) =>
    items.slice(batch * size, (batch + 1) * size),
  );
}
