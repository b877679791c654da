/** Nested fields: `a[b]=1` is `{a: {b: '1'}}`. */
export type FormValue = string | FormFields;
export type FormFields = { [name: string]: FormValue };

/** Lists become objects with the keys 0, 1, …, because only the schema tells them apart. */
export function decodeForm(text: string): FormFields {
  const fields: FormFields = {};
  for (const [name, value] of new URLSearchParams(text)) place(fields, keysOf(name), value);
  return fields;
}

function keysOf(name: string): string[] {
  const [first = ''] = name.split('[', 1);
  return [first, ...[...name.slice(first.length).matchAll(/\[([^\]]*)\]/g)].map(([, key = '']) => key)];
}

function place(fields: FormFields, [given = '', ...rest]: readonly string[], value: string): void {
  const key = given === '' ? String(Object.keys(fields).length) : given;
  if (rest.length === 0) {
    fields[key] = value;
    return;
  }
  const kept = fields[key];
  const inner: FormFields = typeof kept === 'object' ? kept : {};
  fields[key] = inner;
  place(inner, rest, value);
}
