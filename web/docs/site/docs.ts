import { offerSearch } from './search.ts';

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
