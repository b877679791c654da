/** Parses a command's option. Throws if it is not a whole number above 0. */
export function wholeNumber(option: string, value: string): number {
  if (!/^[1-9]\d{0,8}$/.test(value)) throw new Error(`--${option} takes a whole number above 0, not ${value}.`);
  return Number(value);
}
