/** Removes invisible characters. */
export function withoutInvisible(text: string): string {
  return text.replaceAll(/[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, '');
}

/** Removes invisible characters, and converts digits and dashes to ASCII. */
export function plainText(text: string): string {
  return withoutInvisible(text.normalize('NFKC'))
    .replaceAll(/(?!\d)\p{Nd}/gu, asciiDigit)
    .replaceAll(/[\p{Pd}\u2212]/gu, '-');
}

/** Unicode keeps the ten digits of a script together, zero first. */
function asciiDigit(digit: string): string {
  const code = digit.codePointAt(0) ?? 0;
  let value = 0;
  while (/\p{Nd}/u.test(String.fromCodePoint(code - value - 1))) value += 1;
  return String(value % 10);
}

/** Letters that Unicode does not decompose into a letter and an accent. */
const plainLetters: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  ł: 'l',
  ı: 'i',
  þ: 'th',
};

/**
 * Reduces a name to what its spellings share: lower-case letters and digits, without accents, spaces or punctuation.
 * "O’Neill" and "oneill" come out the same, and so do "De la Cruz" and "Delacruz".
 */
export function searchable(text: string): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[ßæœøđðłıþ]/g, (letter) => plainLetters[letter] ?? letter)
    .replaceAll(/[^\p{L}\p{N}]/gu, '');
}
