import * as z from 'zod/mini';
import { wholeNumber } from './property-schema.ts';

export const routeSettings = z.strictObject({
  ThrottlingRateLimit: z.optional(z.number()),
  ThrottlingBurstLimit: wholeNumber,
});

type RouteSettings = z.output<typeof routeSettings>;

interface StageSettings {
  readonly RouteSettings?: Readonly<Record<string, RouteSettings>> | undefined;
}

/** One token bucket for each route with settings. All others accept everything. */
export function createThrottle(stage: StageSettings, now: () => number = Date.now) {
  const buckets = new Map(
    Object.entries(stage.RouteSettings ?? {}).map(([key, settings]) => [key, bucket(settings, now)]),
  );
  return { accepts: (routeKey: string) => buckets.get(routeKey)?.() ?? true };
}

function bucket({ ThrottlingRateLimit: rate, ThrottlingBurstLimit: burst = rate }: RouteSettings, now: () => number) {
  if (rate === undefined || burst === undefined) return () => true;
  let tokens = burst;
  let filledAt = now();
  return (): boolean => {
    const at = now();
    tokens = Math.min(burst, tokens + ((at - filledAt) / 1000) * rate);
    filledAt = at;
    if (tokens < 1) return false;
    tokens -= 1;
    return true;
  };
}
