const shifts = ['canary', 'linear', 'allAtOnce'] as const;

/** How the functions of the money path change to a new version. */
export type Shift = (typeof shifts)[number];

/** Throws for anything but one of these. */
export function shiftOf(given: string | undefined): Shift | undefined {
  const shift = shifts.find((known) => known === given);
  if (given !== undefined && shift === undefined)
    throw new Error(`-c shift must be ${shifts.slice(0, -1).join(', ')} or ${shifts.at(-1)}.`);
  return shift;
}
