/** Returns ` Did you mean …?`, or an empty text if no name is close. */
export function didYouMean(typed: string, names: readonly string[], show: (name: string) => string): string {
  const words = typed.split('-');
  const limit = Math.max(1, Math.floor(Math.max(...words.map(({ length }) => length)) / 3));
  const near = names.filter((name) => editDistance(typed, name) <= limit);
  const ending = words.length > 1 ? `-${words.at(-1)}` : undefined;
  const partly = names.filter((name) =>
    ending === undefined
      ? typed.length > 2 && name.split('-').some((word) => word.startsWith(typed))
      : name.endsWith(ending),
  );
  const best = near.sort((left, right) => editDistance(typed, left) - editDistance(typed, right)).slice(0, 1);
  const found = best.length > 0 ? best : partly.slice(0, 3);
  return found.length === 0 ? '' : ` Did you mean ${found.map(show).join(' or ')}?`;
}

/** Insertions, deletions, replacements and swaps of neighbors (optimal string alignment). */
function editDistance(left: string, right: string): number {
  const rows = [Array.from({ length: right.length + 1 }, (_, column) => column)];
  for (let row = 1; row <= left.length; row += 1) {
    const current = [row];
    const at = (above: number, column: number) => rows[row - above]?.[column] ?? Infinity;
    for (let column = 1; column <= right.length; column += 1) {
      const same = left[row - 1] === right[column - 1];
      const swapped = left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1];
      current[column] = Math.min(
        at(1, column) + 1,
        (current[column - 1] ?? Infinity) + 1,
        at(1, column - 1) + (same ? 0 : 1),
        swapped ? at(2, column - 2) + 1 : Infinity,
      );
    }
    rows.push(current);
  }
  return rows[left.length]?.[right.length] ?? 0;
}
