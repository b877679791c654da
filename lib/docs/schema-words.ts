import type * as z from 'zod';

export type Schema = z.core.JSONSchema.JSONSchema;

const inWords = (count: number) => count.toLocaleString('en-US');

/** Type and limits. */
export function typeWords(field: Schema): string {
  if (field.anyOf) return field.anyOf.map((each) => typeWords(only(each))).join(' or ');
  if (field.const !== undefined) return code(field.const);
  const values = field.enum ?? field['x-extensible-enum'];
  if (Array.isArray(values)) return listed(values.map(code));
  if (field.format === 'date-time') return 'time';
  if (field.format === 'uri') return 'URL';
  const type = [field.type ?? 'any'].flat().join(' or ');
  const limits = limitsOf(field);
  return limits === '' ? type : `${type}, ${limits}`;
}

function limitsOf(field: Schema): string {
  const [keys, values, items] = [only(field.propertyNames), only(field.additionalProperties), itemsOf(field)];
  if (keys.maxLength !== undefined)
    return (
      `at most ${field.maxProperties} keys of ${range(keys.minLength, keys.maxLength)} characters, ` +
      `with strings of ${range(values.minLength, values.maxLength ?? 0)} characters`
    );
  if (field.maxLength !== undefined) return `${range(field.minLength, field.maxLength)} characters`;
  if (field.maximum !== undefined) return range(field.minimum, field.maximum);
  if (field.maxItems !== undefined) return `${range(field.minItems, field.maxItems)} of ${typeWords(items)}`;
  return items.enum ? `of ${typeWords(items)}` : '';
}

function itemsOf({ items }: Schema): Schema {
  return Array.isArray(items) ? {} : only(items);
}

/** A schema can also be a boolean, which says nothing here. */
export function only(schema: boolean | Schema | undefined): Schema {
  return typeof schema === 'object' ? schema : {};
}

function range(least: number | undefined, most: number): string {
  return least === undefined ? `at most ${inWords(most)}` : `${inWords(least)} to ${inWords(most)}`;
}

function code(value: unknown): string {
  return `\`${String(value)}\``;
}

function listed(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;
}
