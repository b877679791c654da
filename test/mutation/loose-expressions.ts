/** Replaces the store's module: an empty condition, which DynamoDB rejects, becomes one that is always true. */
import { Expression, expression as written, type Value } from '../../functions/store/expressions.ts';

export * from '../../functions/store/expressions.ts';

export function expression(texts: readonly string[], ...values: readonly Value[]): Expression {
  return written(
    texts.join('') === '' && values.length === 0 ? ['attribute_not_exists(neverWritten)'] : texts,
    ...values,
  );
}
