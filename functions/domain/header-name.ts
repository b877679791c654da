/** A lower-case header name as docs spell it: `idempotency-key` becomes `Idempotency-Key`. */
export function headerName(lowerCase: string): string {
  return lowerCase.replaceAll(/\b[a-z]/g, (letter) => letter.toUpperCase());
}
