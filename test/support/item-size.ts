import type { AttributeValue } from '@aws-sdk/client-dynamodb';

export type Item = Readonly<Record<string, AttributeValue>>;

/** In bytes, as DynamoDB counts what a write costs: names and values. */
export function itemSize(item: Item): number {
  return Object.entries(item).reduce((sum, [name, value]) => sum + Buffer.byteLength(name) + sizeOf(value), 0);
}

/** https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/CapacityUnitCalculations.html */
function sizeOf({ S, N, BOOL, M, L, NULL }: AttributeValue): number {
  if (S !== undefined) return Buffer.byteLength(S);
  if (N !== undefined) return Math.ceil(N.replaceAll(/[-.]/g, '').length / 2) + 1;
  if (BOOL !== undefined) return 1;
  if (M !== undefined) return 3 + Object.keys(M).length + itemSize(M);
  if (L !== undefined) return 3 + L.reduce((sum, each) => sum + 1 + sizeOf(each), 0);
  if (NULL !== undefined) return 1;
  throw new Error('a type that rows do not have yet');
}
