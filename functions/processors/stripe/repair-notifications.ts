import Stripe from 'stripe';
import * as z from 'zod/mini';
import { platformAccount } from '../../domain/payments/reconciliation.ts';
import { toEpochSeconds } from '../../domain/time.ts';
import { AccountGone, type ListPage, type NotificationRepairer } from '../processor.ts';
import type { CallStripe } from './client.ts';
import { debitEventTypes, eventOf } from './event.ts';
import { storeEvent, type StoreTools } from './receive-event.ts';

const listed = z.object({ data: z.array(z.looseObject({ id: z.string() })), has_more: z.boolean() });

export function stripeRepairer(tools: StoreTools, call: CallStripe): NotificationRepairer {
  async function list(account: string, page: ListPage) {
    return call(async (stripe) =>
      z.parse(
        listed,
        await stripe.events.list(
          {
            types: [...debitEventTypes],
            ...pageParams(page),
          },
          account === platformAccount ? {} : { stripeAccount: account },
        ),
      ),
    );
  }

  return async (account, page, now) => {
    const { data, has_more: hasMore } = await list(account, page).catch((error: unknown) => {
      throw isGone(error) ? new AccountGone(`${account} is gone`) : error;
    });
    let repaired = 0;
    for (const each of data) {
      const event = eventOf(each);
      // Listed events lack `account`.
      const found = event && { ...event, account: account === platformAccount ? undefined : account };
      if (found && (await storeEvent(tools, found, now)) === 'stored') repaired += 1;
    }
    return { repaired, after: hasMore ? data.at(-1)?.id : undefined };
  };
}

function isGone(error: unknown): boolean {
  return error instanceof Stripe.errors.StripePermissionError && error.code === 'account_invalid';
}

export function pageParams(page: ListPage) {
  return { created: createdIn(page), limit: 100, ...(page.after !== undefined && { starting_after: page.after }) };
}

/** Stripe's times are in whole seconds. The end of one period is the start of the next. */
export function createdIn({ from, to }: ListPage): { gte: number; lt: number } {
  return { gte: toEpochSeconds(Date.parse(from)), lt: toEpochSeconds(Date.parse(to)) };
}
