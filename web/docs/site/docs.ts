interface Entry {
  readonly path: string;
  readonly page: string;
  readonly heading: string;
  readonly text: string;
}

const mostResults = 12;

/** Returns entries in which every word of the query begins a word, best match first. */
function search(entries: readonly Entry[], query: string): Entry[] {
  const words = query.toLowerCase().match(/[\p{L}\p{N}_.-]+/gu) ?? [];
  const patterns = words.map((word) => new RegExp(`(?<![\\p{L}\\p{N}])${word.replace(/[.-]/g, '\\$&')}`, 'iu'));
  if (patterns.length === 0) return [];
  return entries
    .map((entry) => ({ entry, score: scoreOf(entry, patterns, query.trim().toLowerCase()) }))
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score)
    .slice(0, mostResults)
    .map(({ entry }) => entry);
}

/** A heading says more than the page's title, and that more than the text. */
function scoreOf({ heading, page, text }: Entry, patterns: readonly RegExp[], query: string): number {
  const scores = patterns.map((pattern) =>
    pattern.test(heading) ? 8 : pattern.test(page) ? 3 : pattern.test(text) ? 1 : 0,
  );
  if (scores.includes(0)) return 0;
  // Someone who types the beginning of a heading is most likely looking for it.
  return scores.reduce<number>((sum, score) => sum + score, heading.toLowerCase().startsWith(query) ? 8 : 0);
}

/** Connects the form, which is hidden without a script. The index is loaded when somebody starts to search. */
export function offerSearch(form: HTMLFormElement): void {
  const input = form.querySelector('input');
  const results = form.querySelector('ul');
  const count = form.querySelector('[role=status]');
  if (!input || !results || !count) return;
  let loaded: Promise<readonly Entry[]> | undefined;

  async function show(): Promise<void> {
    const query = input?.value ?? '';
    const entries = await (loaded ??= fetch(form.dataset['index'] ?? '').then((answer) => answer.json()));
    // Somebody has kept typing in the meantime.
    if (query !== input?.value) return;
    const found = search(entries, query);
    results?.replaceChildren(...found.map(itemOf));
    if (count) count.textContent = query.trim() === '' ? '' : countIn(found.length);
  }

  function close(): void {
    if (input) input.value = '';
    results?.replaceChildren();
    if (count) count.textContent = '';
  }

  form.hidden = false;
  input.addEventListener('input', () => void show());
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    results.querySelector('a')?.click();
  });
  results.addEventListener('click', () => setTimeout(close));
  form.addEventListener('keydown', (event) => {
    const stops = [input, ...results.querySelectorAll('a')];
    const here = stops.findIndex((stop) => stop === document.activeElement);
    const next = { ArrowDown: here + 1, ArrowUp: here - 1 }[event.key];
    if (event.key === 'Escape') close();
    if (next === undefined) return;
    event.preventDefault();
    stops[Math.min(Math.max(next, 0), stops.length - 1)]?.focus();
  });
  document.addEventListener('keydown', (event) => {
    if (event.key !== '/' || event.target instanceof HTMLInputElement) return;
    event.preventDefault();
    input.focus();
  });
}

function countIn(results: number): string {
  if (results === 0) return 'No results';
  return results === 1 ? '1 result' : `${results} results`;
}

function itemOf({ path, page, heading, text }: Entry): HTMLLIElement {
  const link = document.createElement('a');
  link.href = path;
  const where = document.createElement('span');
  where.textContent = heading === page ? text.slice(0, 90) : page;
  link.append(heading, where);
  const item = document.createElement('li');
  item.append(link);
  return item;
}

const storageKey = 'docs-language';

function choose(language: string): void {
  for (const input of document.querySelectorAll<HTMLInputElement>('.samples input'))
    if (input.value === language) input.checked = true;
}

/** Some browsers' private windows refuse to store anything. */
function stored(): string | null {
  try {
    return localStorage.getItem(storageKey);
  } catch {
    return null;
  }
}

function store(language: string): void {
  try {
    localStorage.setItem(storageKey, language);
  } catch {
    // The choice then lasts only for this page.
  }
}

const kept = stored();
if (kept !== null) choose(kept);

document.addEventListener('change', ({ target }) => {
  if (!(target instanceof HTMLInputElement)) return;
  const before = target.getBoundingClientRect().top;
  choose(target.value);
  store(target.value);
  // Samples above may have changed height.
  scrollBy(0, target.getBoundingClientRect().top - before);
});

function addCopyButton(sample: Element): void {
  const code = sample.querySelector('code')?.textContent ?? '';
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = 'Copy';
  button.addEventListener('click', () => {
    void navigator.clipboard.writeText(code).then(() => {
      button.textContent = 'Copied';
      setTimeout(() => (button.textContent = 'Copy'), 2000);
    });
  });
  sample.append(button);
}

// The clipboard exists only on secure origins.
if ('clipboard' in navigator) document.querySelectorAll('.sample').forEach(addCopyButton);

const form = document.querySelector<HTMLFormElement>('.search');
if (form) offerSearch(form);

document.querySelector('.menu')?.addEventListener('keydown', (event) => {
  if (!(event instanceof KeyboardEvent) || event.key !== 'Escape') return;
  const menu = event.currentTarget;
  if (menu instanceof HTMLDetailsElement) menu.open = false;
});
