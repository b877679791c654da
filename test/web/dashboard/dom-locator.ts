import { setTimeout as sleep } from 'node:timers/promises';

type Words = string | RegExp;

interface Match {
  readonly name?: Words;
  readonly exact?: boolean;
}

interface Filter {
  readonly hasText?: Words;
  readonly has?: DomLocator;
}

/** Finds and uses elements with Playwright's words, in a document that has no browser, and so no layout. */
export interface DomLocator {
  getByRole(role: keyof typeof selectors, match?: Match & { readonly level?: number }): DomLocator;
  getByLabel(words: Words, match?: Match): DomLocator;
  getByText(words: Words, match?: Match): DomLocator;
  locator(selector: string, filter?: Filter): DomLocator;
  filter(filter: Filter): DomLocator;
  first(): DomLocator;
  last(): DomLocator;
  nth(index: number): DomLocator;
  /** All current matches, in document order. */
  elements(): HTMLElement[];
  click(): Promise<void>;
  check(): Promise<void>;
  uncheck(): Promise<void>;
  fill(value: string): Promise<void>;
  /** Selects an option by its value or its text. */
  selectOption(option: string): Promise<void>;
  waitFor(options?: { readonly state: 'visible' | 'detached' }): Promise<void>;
  count(): Promise<number>;
  isVisible(): Promise<boolean>;
  isChecked(): Promise<boolean>;
  isEnabled(): Promise<boolean>;
  inputValue(): Promise<string>;
  getAttribute(name: string): Promise<string | null>;
  textContent(): Promise<string>;
  allTextContents(): Promise<string[]>;
  innerText(): Promise<string>;
  allInnerTexts(): Promise<string[]>;
}

const selectors = {
  alert: '[role=alert]',
  button: 'button, [role=button]',
  cell: 'td',
  columnheader: 'thead th',
  dialog: 'dialog[open]',
  heading: 'h1, h2, h3, h4',
  img: 'img, [role=img]',
  link: 'a[href]',
  list: 'ul, ol',
  listitem: 'li',
  main: 'main',
  navigation: 'nav',
  progressbar: 'progress',
  region: 'section[aria-label], section[aria-labelledby]',
  row: 'tr',
  searchbox: 'input[type=search]',
  status: '[role=status]',
  table: 'table',
};

type Field = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;
const fields = 'input, select, textarea';
const blocks =
  /^(?:ADDRESS|ARTICLE|ASIDE|BR|DD|DIV|DL|DT|FIELDSET|FOOTER|FORM|H\d|HEADER|LABEL|LI|OL|P|SECTION|T[DHR]|UL)$/;
const patience = 40_000;

/** `find` returns the current matches. */
export function locate(describe: string, find: () => readonly Element[]): DomLocator {
  const below = (words: string, narrow: (elements: readonly Element[]) => readonly Element[]) =>
    locate(`${describe} ${words}`, () => narrow(find()));
  const inside = (selector: string, elements: readonly Element[]) => [
    ...new Set(elements.flatMap((element) => [...element.querySelectorAll(selector)])),
  ];

  /** The only match, once it is shown. */
  async function one(): Promise<HTMLElement> {
    const [element, other] = await until(describe, () => (find().some(isShown) ? find() : undefined));
    if (other) throw new Error(`There are several: ${describe}`);
    return element as HTMLElement;
  }
  /** The only match, once it can be used. */
  async function usable(): Promise<HTMLElement> {
    await until(`${describe}, enabled and in front`, () => find().some(isUsable) || undefined);
    return one();
  }
  async function change(differ: (field: Field) => void): Promise<void> {
    const field = (await usable()) as Field;
    field.focus();
    differ(field);
    for (const type of ['input', 'change']) field.dispatchEvent(eventOf(field, type));
    await settled();
  }
  async function click(): Promise<void> {
    const element = await usable();
    element.closest<HTMLElement>('a, button, input, summary')?.focus();
    element.click();
    await settled();
  }
  async function tick(wanted: boolean): Promise<void> {
    const box = (await usable()) as HTMLInputElement;
    if (box.checked !== wanted) await click();
    if (box.checked !== wanted) throw new Error(`The click did not change it: ${describe}`);
  }

  return {
    getByRole: (role, { level, ...match } = {}) =>
      below(`${role} "${String(match.name)}"`, (elements) =>
        inside(level === undefined ? selectors[role] : `h${level}`, elements).filter(
          (element) => isShown(element) && (match.name === undefined || isMatch(nameOf(element), match.name, match)),
        ),
      ),
    getByLabel: (words, match = {}) =>
      below(`labelled "${String(words)}"`, (elements) =>
        inside(`${fields}, [aria-label], [aria-labelledby]`, elements).filter((element) =>
          labelsOf(element).some((label) => isMatch(label, words, match)),
        ),
      ),
    getByText: (words, match = {}) =>
      below(`"${String(words)}"`, (elements) => {
        const all = inside('*', elements).filter((element) => isMatch(element.textContent, words, match));
        return all.filter((element) => !all.some((other) => other !== element && element.contains(other)));
      }),
    locator: (selector, filter = {}) => below(selector, (elements) => inside(selector, elements)).filter(filter),
    filter: ({ hasText, has }) =>
      below(`with ${hasText === undefined ? 'another' : `"${String(hasText)}"`}`, (elements) =>
        elements.filter(
          (element) =>
            (hasText === undefined || isMatch(element.textContent, hasText)) &&
            (!has || has.elements().some((each) => element.contains(each))),
        ),
      ),
    first: () => below('first', (elements) => elements.slice(0, 1)),
    last: () => below('last', (elements) => elements.slice(-1)),
    nth: (index) => below(`at ${index}`, (elements) => elements.slice(index, index + 1)),
    elements: () => [...find()] as HTMLElement[],
    click,
    check: () => tick(true),
    uncheck: () => tick(false),
    fill: (value) => change((field) => (field.value = value)),
    selectOption: (option) =>
      change((field) => {
        const found = [...field.querySelectorAll('option')].find(
          ({ value, textContent }) => value === option || textContent.trim() === option,
        );
        if (!found) throw new Error(`There is no option ${option}: ${describe}`);
        field.value = found.value;
      }),
    async waitFor({ state } = { state: 'visible' }) {
      if (state === 'visible') await one();
      else await until(`no ${describe}`, () => find().length === 0 || undefined);
    },
    count: async () => find().length,
    isVisible: async () => find().some(isShown),
    isChecked: async () => ((await one()) as HTMLInputElement).checked,
    isEnabled: async () => isEnabled(await one()),
    inputValue: async () => ((await one()) as Field).value,
    getAttribute: async (name) => (await one()).getAttribute(name),
    textContent: async () => (await one()).textContent,
    allTextContents: async () => find().map(({ textContent }) => textContent),
    innerText: async () => shownText(await one()),
    allInnerTexts: async () => find().map(shownText),
  };
}

async function until<Value>(what: string, look: () => Value | undefined): Promise<Value> {
  for (const end = Date.now() + patience; Date.now() < end; await sleep(2)) {
    const found = look();
    if (found !== undefined) return found;
  }
  throw new Error(`There never was ${what}.`);
}

/** Waits for what was drawn, and for its effects. */
export async function settled(): Promise<void> {
  for (let turns = 0; turns < 4; turns++) await sleep();
}

function isMatch(text: string, words: Words, { exact = false }: Match = {}): boolean {
  const spaced = spacedOnce(text);
  if (words instanceof RegExp) return words.test(spaced);
  return exact ? spaced === spacedOnce(words) : spaced.toLowerCase().includes(spacedOnce(words).toLowerCase());
}

function spacedOnce(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}

function labelsOf(element: Element): string[] {
  const { ownerDocument: document } = element;
  const ids = element.getAttribute('aria-labelledby')?.split(' ') ?? [];
  const named = ids.map((id) => document.getElementById(id)?.textContent ?? '').join(' ');
  const labels = element.matches(fields)
    ? [...((element as Field).labels ?? [])].map((label) => label.textContent)
    : [];
  return [named, element.getAttribute('aria-label') ?? '', ...labels].filter(Boolean);
}

function nameOf(element: Element): string {
  const [label = element.getAttribute('alt') ?? element.querySelector(':scope > caption')?.textContent] =
    labelsOf(element);
  return label ?? shownText(element);
}

function eventOf(element: Element, type: string): Event {
  const { Event } = element.ownerDocument.defaultView as unknown as typeof globalThis;
  return new Event(type, { bubbles: true });
}

function isEnabled(element: Element): boolean {
  return !element.closest(':disabled, [aria-disabled=true]');
}

function isUsable(element: Element): boolean {
  const front = [...element.ownerDocument.querySelectorAll('dialog[open]')].at(-1);
  return isShown(element) && isEnabled(element) && !element.closest('[inert]') && (front?.contains(element) ?? true);
}

/** Whether it is shown, as far as the markup says. */
function isShown(element: Element): boolean {
  if (!element.isConnected || element.closest('[hidden], dialog:not([open]), noscript')) return false;
  for (let at = element.closest('details'); at; at = at.parentElement?.closest('details') ?? null)
    if (!at.hasAttribute('open') && at !== element && !at.querySelector(':scope > summary')?.contains(element))
      return false;
  return true;
}

/** A line for each block, as a browser draws it without style. */
function shownText(element: Element): string {
  return textOf(element)
    .replaceAll(/ *\n\s*/g, '\n')
    .trim();
}

function textOf(node: Node): string {
  if (node.nodeType === 3) return node.nodeValue?.replaceAll(/\s+/g, ' ') ?? '';
  if (node.nodeType !== 1 || !isShown(node as Element)) return '';
  const text = [...node.childNodes].map(textOf).join('');
  return blocks.test((node as Element).tagName) ? `\n${text}\n` : text;
}
