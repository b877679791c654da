import * as z from 'zod';
import { inert, wholeNumber } from './property-schema.ts';

export const routeSettings = z.strictObject({
  ThrottlingRateLimit: z.number().optional(),
  ThrottlingBurstLimit: wholeNumber,
  DetailedMetricsEnabled: inert('nobody watches metrics of a laptop'),
});

type RouteSettings = z.output<typeof routeSettings>;

interface StageSettings {
  readonly DefaultRouteSettings?: RouteSettings | undefined;
  readonly RouteSettings?: Readonly<Record<string, RouteSettings>> | undefined;
}

/** One token bucket for each route with its own settings, and one for all other routes. */
export function createThrottle(stage: StageSettings, now: () => number = Date.now) {
  const buckets = new Map(
    Object.entries(stage.RouteSettings ?? {}).map(([key, settings]) => [key, bucket(settings, now)]),
  );
  const others = bucket(stage.DefaultRouteSettings ?? {}, now);
  return { accepts: (routeKey: string) => (buckets.get(routeKey) ?? others)() };
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
