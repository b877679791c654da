/** Leaves out steps for as long as it still fails: first many at once, in the end one by one. */
export async function shrink(
  steps: readonly number[],
  fails: (steps: readonly number[]) => Promise<boolean>,
): Promise<readonly number[]> {
  let kept = steps;
  for (let size = Math.ceil(steps.length / 2); size >= 1; size = Math.floor(size / 2)) {
    for (let start = 0; start < kept.length;) {
      const fewer = kept.filter((_, index) => index < start || index >= start + size);
      if (await fails(fewer)) kept = fewer;
      else start += size;
    }
  }
  return kept;
}
