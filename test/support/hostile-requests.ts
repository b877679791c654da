import { gzipSync } from 'node:zlib';
import * as fc from 'fast-check';
import type { HttpRequest } from './http-request.ts';

/** Part of every invented name and value; no refusal may repeat it. */
export const marker = 'qzmarkerqz';

/** Words that are known only once the service runs. */
export type Words = Readonly<
  Record<'SESSION_ID' | 'CREDENTIAL' | 'OTHER_CREDENTIAL' | 'AUTHORIZATION_ID' | 'PASSWORD', string>
> & {
  /** The parameters of a path, by name. The session's ID stands in for the others. */
  readonly PARAMETERS?: Readonly<Record<string, string>>;
};

export interface Target {
  readonly method: string;
  readonly path: string;
  readonly body: unknown;
}

/** Contains placeholders for those words, so that it can be replayed. */
export interface HostileRequest {
  readonly method: string;
  readonly target: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: string | Uint8Array;
  readonly encoding: (typeof encodings)[number];
}

const encodings = ['utf8', 'bom', 'utf16le', 'latin1', 'gzip'] as const;

function encoded(text: string, encoding: HostileRequest['encoding']): Buffer {
  switch (encoding) {
    case 'utf8':
    case 'utf16le':
    case 'latin1':
      return Buffer.from(text, encoding);
    case 'bom':
      return Buffer.from(`\ufeff${text}`);
    case 'gzip':
      return gzipSync(text);
    default: {
      const unknown: never = encoding;
      throw new Error(`unknown encoding ${String(unknown)}`);
    }
  }
}

function spoken(text: string, { PARAMETERS = {}, ...words }: Words): string {
  return Object.entries(words).reduce(
    (filled, [word, value]) => filled.replaceAll(`<${word}>`, value),
    text
      .replace('<17000 SPACES>', ' '.repeat(17_000))
      .replaceAll(/<\{(\w+)\}>/g, (_, name: string) => PARAMETERS[name] ?? words.SESSION_ID),
  );
}

export function withWords({ method, target, headers, body, encoding }: HostileRequest, words: Words): HttpRequest {
  return {
    method,
    target: spoken(target, words),
    headers: headers.map(([name, value]) => [name, spoken(value, words)] as const),
    body: typeof body === 'string' ? encoded(spoken(body, words), encoding) : Buffer.from(body),
  };
}

/** As the unit 'binary', which spends a second on a list of all characters. */
export const anyCharacter = fc
  .nat(0x10ffff - 0x800)
  .map((place) => String.fromCodePoint(place < 0xd800 ? place : place + 0x800));
const halfPairs = fc.string({
  unit: fc.integer({ min: 0xd7f0, max: 0xe010 }).map((unit) => String.fromCharCode(unit)),
  maxLength: 8,
});
const anyText = fc.oneof(
  fc.string({ unit: anyCharacter }),
  fc.string({ unit: 'grapheme' }),
  halfPairs,
  fc.constantFrom('', ' ', '\0', '\u202e', '\ufffd', '123-45-6789', 'x'.repeat(600)),
);
const text = fc.tuple(anyText, fc.constantFrom('', marker)).map((parts) => parts.join(''));
const key = fc.oneof(
  text,
  fc.constantFrom('__proto__', 'constructor'),
  fc.constantFrom('prototype', 'toString', 'hasOwnProperty', 'toJSON', 'length', 'diagnosis', `${marker}/~0`),
);
const number = fc.oneof(fc.double(), fc.constantFrom(0, -0, -1, 0.5, 2 ** 53, 99_999_999, 1e308, Number.MIN_VALUE));
const json: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 3, arbitrary: text },
  { weight: 2, arbitrary: number },
  fc.constantFrom(null, true, false),
  fc.jsonValue(),
  fc.array(text, { maxLength: 3 }),
  fc.array(fc.tuple(key, text), { maxLength: 20 }).map((entries) => Object.fromEntries(entries)),
);

type Mutation = readonly ['replace' | 'remove' | 'add', number, string, unknown];
const word = fc
  .constantFrom('\ud800', '\udfff', '\0', '\n', '\u202e', '\ufffd', 'é', marker)
  .map((character) => `a${character}`);
const mutation: fc.Arbitrary<Mutation> = fc.tuple(
  fc.constantFrom('replace' as const, 'remove' as const, 'add' as const),
  fc.nat(50),
  key,
  json,
);
const slightMutation: fc.Arbitrary<Mutation> = fc.oneof(
  fc.tuple(fc.constant('replace' as const), fc.nat(50), fc.constant(''), word),
  fc.tuple(
    fc.constant('add' as const),
    fc.nat(50),
    fc.oneof(fc.constantFrom('__proto__', 'constructor'), word),
    fc.constant('x'),
  ),
);

/** Counts members depth first; `__proto__` is a member like any other. */
function mutated(value: unknown, [kind, place, name, replacement]: Mutation): unknown {
  const copy = structuredClone(value);
  const places: [object, string][] = [];
  const visit = (parent: unknown) => {
    if (typeof parent !== 'object' || parent === null) return;
    for (const member of Object.keys(parent)) {
      places.push([parent, member]);
      visit(Reflect.get(parent, member));
    }
  };
  visit(copy);
  const [parent, member] = places[place % Math.max(places.length, 1)] ?? [];
  if (!parent || member === undefined) return replacement;
  if (kind === 'remove') Reflect.deleteProperty(parent, member);
  else if (kind === 'add' && Array.isArray(parent)) parent.push(replacement);
  else
    Object.defineProperty(parent, kind === 'add' ? name : member, {
      value: replacement,
      enumerable: true,
      configurable: true,
      writable: true,
    });
  return copy;
}

function bodyText(example: unknown): fc.Arbitrary<string> {
  const whole = JSON.stringify(example ?? {});
  return fc.oneof(
    {
      weight: 10,
      arbitrary: fc
        .oneof(
          { weight: 2, arbitrary: fc.tuple(slightMutation) },
          fc.tuple(mutation),
          fc.array(mutation, { minLength: 2, maxLength: 3 }),
        )
        .map((mutations) => JSON.stringify(mutations.reduce(mutated, example ?? {}))),
    },
    { weight: 2, arbitrary: fc.constant(whole) },
    { weight: 2, arbitrary: json.map((value) => JSON.stringify(value)) },
    fc.tuple(key, json).map(([name, value]) => `{${JSON.stringify(name)}:${JSON.stringify(value)},${whole.slice(1)}`),
    fc.constantFrom('amountCents', 'metadata', 'username').map((name) => `{"${name}":"${marker}",${whole.slice(1)}`),
    fc.nat(whole.length).map((end) => whole.slice(0, end)),
    fc.integer({ min: 1, max: 8000 }).map((depth) => '['.repeat(depth) + ']'.repeat(depth)),
    fc.integer({ min: 1, max: 1600 }).map((depth) => `{"${marker}":`.repeat(depth)),
    fc.constantFrom(
      `${whole}<17000 SPACES>`,
      `{"metadata":{"note":"${marker}<17000 SPACES>"}}`,
      `{"amountCents":1${'0'.repeat(400)}}`,
      '',
      'NaN',
      `'${marker}'`,
    ),
  );
}

const contentType = fc.oneof(
  { weight: 12, arbitrary: fc.constant('application/json') },
  fc.constantFrom(
    undefined,
    'text/plain',
    'application/json; charset=utf-16',
    'Application/JSON;;',
    'application/json,application/json',
    `application/${marker}`,
    'application/octet-stream',
    `multipart/form-data; boundary=${marker}`,
    'application/x-www-form-urlencoded',
    '',
  ),
);

const authorization = fc.oneof(
  { weight: 12, arbitrary: fc.constant('Bearer <CREDENTIAL>') },
  fc.constantFrom(
    undefined,
    '',
    'Bearer',
    'Bearer <OTHER_CREDENTIAL>',
    'Bearer <CREDENTIAL>x',
    'bearer  <CREDENTIAL>',
    'Bearer <CREDENTIAL>,Bearer <CREDENTIAL>',
    'Basic <CREDENTIAL>',
    `Bearer ${marker}`,
    `Bearer ${'A'.repeat(43)}`,
    `Bearer ${marker.repeat(300)}`,
  ),
);

const headerText = fc
  .tuple(
    fc.string({
      unit: fc
        .integer({ min: 0x20, max: 0xff })
        .filter((code) => code !== 0x7f)
        .map((code) => String.fromCharCode(code)),
    }),
    fc.constantFrom('', marker),
  )
  .map((parts) => parts.join('').trim());
const header = fc.tuple(
  fc.constantFrom(
    'idempotency-key',
    'Idempotency-Key',
    '__proto__',
    'constructor',
    `x-${marker}`,
    'x-forwarded-for',
    'x-viewer-address',
    'content-encoding',
    'user-agent',
    'cookie',
    'accept',
    'content-type',
    'authorization',
    'origin',
    'x-http-method-override',
  ),
  headerText,
);

const urlText = fc
  .oneof(
    fc.string({ unit: 'grapheme' }),
    fc.constantFrom('', marker, '\0', '..', '../..', '\ufffd', 'constructor', '#'),
  )
  .map((value) => encodeURIComponent(value));
const rawUrlText = fc.oneof(
  urlText,
  fc.constantFrom('%', '%00', '%ff', '%ed%a0%80', '%zz', '+', '%2e%2e%2f', `${marker}%`),
);
const parameter = fc.tuple(
  fc.oneof(fc.constantFrom('status', 'limit', 'cursor', 'invoiceId', '__proto__', 'constructor', marker), rawUrlText),
  fc.oneof(fc.constantFrom('pending', '1', '100', '101', '-1', '1e2', `cur_${marker}`), rawUrlText),
);
const query = fc.oneof(
  { weight: 4, arbitrary: fc.constant('') },
  {
    weight: 3,
    arbitrary: fc
      .array(parameter, { minLength: 1, maxLength: 5 })
      .map((pairs) => `?${pairs.map((pair) => pair.join('=')).join('&')}`),
  },
  fc
    .string({ unit: fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code)), maxLength: 40 })
    .map((raw) => `?${raw}`),
);

/** Puts the value in place of one parameter, and the right values in the others. */
function pathWith(path: string, value: string, place: number): string {
  let index = 0;
  const count = path.split('{').length - 1;
  return path.replaceAll(/\{\w+\}/g, (name) => {
    const isPlace = index === place % count;
    index += 1;
    return isPlace ? value.replaceAll('<OWN>', `<${name}>`) : `<${name}>`;
  });
}

function pathOf(path: string): fc.Arbitrary<string> {
  const segment = fc.oneof(
    { weight: 10, arbitrary: fc.constant('<OWN>') },
    rawUrlText,
    fc.constantFrom(`ses_${marker}`, `ses_${'0'.repeat(26)}`, '<OWN>%00', '<OWN>%0a'),
  );
  const filled =
    path === '$default'
      ? fc.array(rawUrlText, { maxLength: 5 }).map((parts) => `/${parts.join('/')}`)
      : fc.tuple(segment, fc.nat(5)).map(([value, place]) => pathWith(path, value, place));
  return fc.oneof(
    { weight: 50, arbitrary: filled },
    filled.map((whole) => `${whole}/`),
    filled.map((whole) => `/${whole}`),
    filled.map((whole) => whole.toUpperCase()),
    fc.tuple(filled, rawUrlText).map(([whole, more]) => `${whole}/${more}`),
    fc.constant(`http://${marker}.example/`),
  );
}

export function hostileRequests({ method, path, body }: Target): fc.Arbitrary<HostileRequest> {
  return fc
    .record({
      method: fc.oneof(
        { weight: 20, arbitrary: fc.constant(method) },
        fc.constantFrom('GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD', 'TRACE', 'PROPFIND'),
      ),
      target: fc.tuple(pathOf(path), query).map((parts) => parts.join('')),
      type: contentType,
      credential: authorization,
      more: fc.oneof({ weight: 4, arbitrary: fc.constant([]) }, fc.array(header, { maxLength: 3 })),
      body: fc.oneof({ weight: 15, arbitrary: bodyText(body) }, fc.uint8Array({ maxLength: 200 })),
      encoding: fc.oneof({ weight: 6, arbitrary: fc.constant('utf8' as const) }, fc.constantFrom(...encodings)),
    })
    .map(({ type, credential, more, ...rest }) => ({
      ...rest,
      headers: [
        ...(type === undefined ? [] : [['content-type', type] as const]),
        ...(credential === undefined ? [] : [['authorization', credential] as const]),
        ...more,
      ],
    }));
}
