import { day, minute } from '../../functions/domain/time.ts';
import { callersOf, type Actions, type Cast } from './cast.ts';
import { paymentActions } from './payment-actions.ts';
import { practiceActions } from './practice-actions.ts';

/** What a person or a program does in one step. Whatever it starts continues in later steps. */
export function actionsOf(cast: Cast): Actions {
  const callers = callersOf(cast);
  const { world, service, request, repeatable } = callers;
  const { bank } = service;
  async function forward(milliseconds: number): Promise<void> {
    world.pass(milliseconds);
  }

  return {
    ...paymentActions(callers),
    ...practiceActions(callers),
    repeat: () => world.pick(repeatable)?.(),
    act: () => bank.act(),
    tick() {
      world.pass(minute);
      request('sweep', service.sweep);
    },
    reconcile() {
      if (bank.reconcile) request('reconcile', bank.reconcile);
    },
    waitForBank: () => forward(3000),
    waitForTicket: () => forward(2 * minute),
    waitForSession: () => forward(31 * minute),
    waitForDay: () => forward(day),
    waitForLink: () => forward(8 * day),
  };
}
