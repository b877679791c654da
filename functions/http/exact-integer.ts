/** Whether a JSON number is the integer that `JSON.parse` made of it: 1e2 is 100, 100.00000000000000001 is not. */
export function isExactly(integer: number, source: string): boolean {
  return normalized(source) === normalized(String(BigInt(integer)));
}

/** The digits without zeros at either end, and the power of ten of the last one. */
function normalized(source: string): string {
  const [mantissa = '', power = '0'] = source.toLowerCase().split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  const digits = /^-?0*(\d*[1-9])?(0*)$/.exec(whole + fraction);
  const [, significant, zeros = ''] = digits ?? [];
  return significant === undefined ? '0' : `${significant}e${Number(power) - fraction.length + zeros.length}`;
}
