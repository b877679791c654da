/** What Excel, LibreOffice or Google Sheets calculates. In Japanese and Chinese, full-width signs count, too. */
const formula = String.raw`[\s\p{C}\p{Z}"';|]*[=+\-@\u2212＝＋－＠﹦﹢﹣﹫]`;
const startsFormula = new RegExp(`^${formula}`, 'u');
/** Where a list separator is a semicolon, as in most of Europe, quotes within a line do not protect what follows it. */
const nextCellStartsFormula = new RegExp(String.raw`(?<=[;|\t\r\n])(?=${formula})`, 'gu');

/** Marks text that a spreadsheet would calculate or change. Whoever reads the file removes one apostrophe from the beginning. */
export function spreadsheetText(text: string): string {
  const marked = /^[\t\r\n']/.test(text) || startsFormula.test(text) || isConverted(text);
  return `${marked ? "'" : ''}${text.replaceAll(nextCellStartsFormula, "'")}`;
}

/** Excel shows longer ones as 1.23457E+11. */
const keptNumber = /^(?:0|[1-9]\d{0,10})$/;
/** With the separators of any locale, a sign, a currency or an exponent. */
const amount = /^[-+(]* ?[$€£¥]? ?[.,]?\d[\d.,' ]*(?:e[-+]?\d+)? ?[%$€£¥]?\)?$/;
const dateTimeOrFraction = /^\d{1,4}(?:[-/.:,t ]+\d{1,4})+[-/.:, ]*(?:[ap]m?|z)?$/;
const hour = /^\d{1,2} ?[ap]m?$/;
const valueOrError = /^(?:true|false|verdadero|falso|#n\/a|#[a-z\d/]+[!?])$/;

const months = ['en', 'es'].flatMap((locale) =>
  (['long', 'short'] as const).flatMap((month) => {
    const { format } = new Intl.DateTimeFormat(locale, { month, timeZone: 'UTC' });
    return Array.from({ length: 12 }, (_, index) => format(Date.UTC(2026, index)).toLowerCase());
  }),
);
const dateWithMonth = new RegExp(String.raw`^(?=.*\d)[\d\-/.,:' ]*(?:${months.join('|')})[\d\-/.,:' ]*(?:[ap]m?)?$`);

/** May name more than a spreadsheet converts, in some locale or version. */
function isConverted(text: string): boolean {
  const plain = text
    .normalize('NFKC')
    .replaceAll(/\p{Cf}/gu, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .toLowerCase();
  if (keptNumber.test(plain)) return plain !== text;
  return [amount, dateTimeOrFraction, hour, valueOrError, dateWithMonth].some((each) => each.test(plain));
}
