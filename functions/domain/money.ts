/** Formats cents as US dollars, "$182.50". */
export function formatDollars(amountCents: number, locale = 'en-US'): string {
  return new Intl.NumberFormat(locale, { style: 'currency', currency: 'USD' }).format(amountCents / 100);
}
