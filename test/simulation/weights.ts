/** How often each action is taken. */
const weights: Readonly<Record<string, number>> = {
  create: 10,
  pay: 16,
  connect: 5,
  authorize: 8,
  open: 1,
  extend: 1,
  requestLink: 1,
  cancel: 4,
  replaceLink: 2,
  refund: 10,
  erase: 2,
  simulate: 3,
  advance: 2,
  repeat: 5,
  disable: 1,
  enable: 2,
  move: 1,
  rotate: 1,
  resend: 2,
  replay: 1,
  test: 1,
  suspend: 0.5,
  resume: 1,
  close: 0.3,
  redrive: 1,
  reconcile: 1,
  snoop: 2,
  act: 14,
  tick: 5,
  waitForBank: 3,
  waitForTicket: 3,
  waitForSession: 0.7,
  waitForDay: 0.4,
  waitForLink: 0.3,
};

/** The action of a step, chosen by a random number. */
export function chosenBy(roll: number): string {
  let rest = roll * Object.values(weights).reduce((sum, weight) => sum + weight, 0);
  for (const [action, weight] of Object.entries(weights)) {
    rest -= weight;
    if (rest < 0) return action;
  }
  return 'create';
}
