import * as z from 'zod/mini';

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

/** U+200C and U+200D join letters; other format characters can deceive. */
const printable = /^(?:[^\p{C}\p{Zl}\p{Zp}]|[\u200c\u200d])*$/u;
const blank = /^[\p{Zs}\u200c\u200d]+$/u;

export interface TextFormat {
  /** In words, for error responses and the OpenAPI document. */
  readonly expected: string;
  /** For any regex engine: only ASCII and `\xHH`. May accept more than the check does. */
  readonly pattern?: string;
  readonly code?: 'required' | 'sensitive_data';
}

/** Says what is wrong with a text, without repeating it. */
type ErrorOf = (text: string) => string;

/** Checks a text, and tells callers and client generators what it accepts. */
export function format(accepts: (text: string) => boolean, params: TextFormat, error?: string | ErrorOf) {
  const words = typeof error === 'function' ? ({ input }: { input?: unknown }) => error(String(input)) : error;
  return z.refine<string>(accepts, { params, ...(words !== undefined && { error: words }) });
}

/** For a pattern that any regex engine understands. */
export function matching(pattern: RegExp, expected: string, error?: string) {
  return format((text) => pattern.test(text), { expected, pattern: pattern.source }, error);
}

export function line(maximum: number) {
  return z.string().check(
    z.minLength(1),
    z.maxLength(maximum),
    format((text) => printable.test(text), {
      expected: 'one line of printable characters',
      pattern: String.raw`^[^\x00-\x1f\x7f-\x9f]*$`,
    }),
    format((text) => !blank.test(text), { code: 'required', expected: 'not blank' }),
  );
}

/** Trims each line, and drops blank ones. */
export function lines(maximum: number, maximumLines: number) {
  return z.string().check(
    z.overwrite((text) => {
      const trimmed = text.split('\n').map((each) => each.trim());
      return trimmed.filter((each) => each !== '' && !blank.test(each)).join('\n');
    }),
    z.minLength(1),
    z.maxLength(maximum),
    format((text) => text.split('\n').every((each) => printable.test(each)), { expected: 'printable characters' }),
    format(
      (text) => text.split('\n').length <= maximumLines,
      { expected: `at most ${maximumLines} lines` },
      `Use at most ${maximumLines} lines.`,
    ),
  );
}

/** Parses an https URL without credentials. Only printable ASCII, because other characters can deceive. */
export function parseHttpsUrl(text: string): URL | undefined {
  if (!/^https:\/\/[!-~]+$/.test(text)) return undefined;
  const url = URL.parse(text);
  return url?.username === '' && url.password === '' ? url : undefined;
}

/** For a URL that `parseHttpsUrl` refuses. */
export function httpsUrlError(text: string): string {
  if (!text.startsWith('https://')) return 'Begin the URL with https:// in lower case.';
  if (!/^[!-~]+$/.test(text))
    return 'Write the URL in ASCII without spaces: the host name in punycode (xn--…), the rest percent-encoded.';
  return URL.canParse(text) ? 'Send the URL without a username or password.' : 'Send a valid https URL.';
}

export const invoiceId = line(128);
