const atOnce = 10;

/** Runs a few calls at a time: on a slow machine, a burst would hit the client's timeouts. */
export async function aFewAtOnce<Made>(count: number, make: (index: number) => Promise<Made>): Promise<Made[]> {
  const made: Made[] = [];
  while (made.length < count) {
    const indexes = Array.from({ length: Math.min(atOnce, count - made.length) }, (_, index) => made.length + index);
    made.push(...(await Promise.all(indexes.map(make))));
  }
  return made;
}
