/** Of an option of a command. Throws if it is no whole number. */
export function wholeNumber(option: string, value: string): number {
  if (!/^\d{1,9}$/.test(value)) throw new Error(`--${option} takes a whole number, not ${value}.`);
  return Number(value);
}
