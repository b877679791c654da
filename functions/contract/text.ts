import * as z from 'zod/mini';
import { breaksRule, sensitiveRules, type SensitiveRule, type SentAs } from '../domain/sensitive-data.ts';

export const since = z.pipe(
  z
    .string()
    .check(
      z.refine(
        (date) => /^\d{4}-\d\d-\d\d/.test(date) && !Number.isNaN(Date.parse(date)),
        'Use a date like 2026-11-20 or 2026-11-20T15:00:00Z.',
      ),
    ),
  z.transform((date) => Date.parse(date)),
);

/** U+200C and U+200D join letters and emoji. */
const joiners = String.raw`\u200c\u200d`;
/** Harmless, and common in pasted text: soft hyphens, zero-width spaces, and direction marks and isolates. */
const invisible = String.raw`\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202c\u2060-\u2064\u2066-\u206f\ufeff\u{e0001}\u{e0020}-\u{e007f}`;
const blank = /^[\p{Zs}\p{Default_Ignorable_Code_Point}]+$/u;

export interface TextFormat {
  /** The accepted format in words, for error responses and the OpenAPI document. */
  readonly expected?: string;
  /** Works in any regex engine: only ASCII and `\xHH`. May accept more than the check does. */
  readonly pattern?: string;
  readonly code?: 'required' | 'sensitive_data';
  readonly rule?: SensitiveRule;
}

/** Says what is wrong with a text, without repeating it. */
type ErrorOf = (text: string) => string;

/** Checks a text, and tells callers and client generators what it accepts. */
export function format(accepts: (text: string) => boolean, params: TextFormat, error?: string | ErrorOf) {
  const words = typeof error === 'function' ? ({ input }: { input?: unknown }) => error(String(input)) : error;
  return z.refine<string>(accepts, { params, ...(words !== undefined && { error: words }) });
}

/** Checks a text against a pattern that any regex engine understands. */
export function matching(pattern: RegExp, expected: string, error?: string) {
  return format((text) => pattern.test(text), { expected, pattern: pattern.source }, error);
}

/** One line, kept exactly as it was sent. */
export function line(maximum: number) {
  return z.string().check(z.minLength(1), z.maxLength(maximum), onePrintableLine(joiners), notBlank);
}

/** Text that people read and may have pasted: drops invisible characters. */
export function words(maximum: number) {
  return z
    .string()
    .check(
      onePrintableLine(joiners + invisible),
      dropInvisible,
      z.minLength(1),
      z.maxLength(maximum),
      notBlank,
      ...withoutSensitiveData('value'),
    );
}

/** Other format characters can deceive. */
function onePrintableLine(allowed: string) {
  return without(unprintableBut(allowed), {
    expected: 'one line of printable characters',
    pattern: String.raw`^[^\x00-\x1f\x7f-\x9f]*$`,
  });
}

function unprintableBut(allowed: string): RegExp {
  return new RegExp(String.raw`(?![${allowed}])[\p{C}\p{Zl}\p{Zp}]`, 'u');
}

const dropInvisible = z.overwrite<string>((text) => text.replaceAll(new RegExp(`[${invisible}]`, 'gu'), ''));
const notBlank = format((text) => !blank.test(text), { code: 'required', expected: 'not blank' });

/** Like `words`, for each line. Trims lines, and drops blank ones. */
export function lines(maximum: number, maximumLines: number) {
  return z.string().check(
    z.overwrite((text) => {
      const trimmed = text.split('\n').map((each) => each.trim());
      return trimmed.filter((each) => each !== '' && !blank.test(each)).join('\n');
    }),
    without(unprintableBut(String.raw`${joiners}${invisible}\n`), { expected: 'printable characters' }),
    dropInvisible,
    z.minLength(1),
    z.maxLength(maximum),
    format(
      (text) => text.split('\n').length <= maximumLines,
      { expected: `at most ${maximumLines} lines` },
      `Use at most ${maximumLines} lines.`,
    ),
    ...withoutSensitiveData('value'),
  );
}

/** Says which character is refused and where, counted from 1, because most are invisible. */
export function without(characters: RegExp, params: TextFormat) {
  return format(
    (text) => !characters.test(text),
    params,
    (text) => {
      const sent = [...text];
      const index = sent.findIndex((character) => characters.test(character));
      const code = sent[index]?.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0');
      return `Remove character ${index + 1}, which is U+${code}.`;
    },
  );
}

const looksLike: Readonly<Record<SensitiveRule, string>> = {
  card_number: 'This looks like a card number.',
  social_security_number: 'This looks like a Social Security number.',
  icd_10_code: 'This looks like an ICD-10 code.',
  sensitive_key: 'This key names health or account data.',
};

/** Use it for every text that a caller sends. Each rule that a text breaks is a separate error. */
export function withoutSensitiveData(sentAs: SentAs) {
  return sensitiveRules.map((rule, index) =>
    format(
      (text) => !breaksRule(rule, text, sentAs),
      { code: 'sensitive_data', rule, ...(index === 0 && { expected: 'without health or account data' }) },
      `${looksLike[rule]} Do not send health or account data.`,
    ),
  );
}

/** Parses an https URL without credentials. Only printable ASCII, because other characters can deceive. */
export function parseHttpsUrl(text: string): URL | undefined {
  if (!/^https:\/\/[!-~]+$/.test(text)) return undefined;
  const url = URL.parse(text);
  return url?.username === '' && url.password === '' ? url : undefined;
}

/** Says why `parseHttpsUrl` refuses a URL. */
export function httpsUrlError(text: string): string {
  if (!text.startsWith('https://')) return 'Begin the URL with https:// in lower case.';
  if (!/^[!-~]+$/.test(text))
    return 'Write the URL in ASCII without spaces: the host name in punycode (xn--…), the rest percent-encoded.';
  return URL.canParse(text) ? 'Send the URL without a username or password.' : 'Send a valid https URL.';
}

/** One of a person's names. */
export const personName = words(100);
export const invoiceId = line(128).check(...withoutSensitiveData('value'));
