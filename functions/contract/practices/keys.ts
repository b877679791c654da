import * as z from 'zod/mini';
import { scopes } from '../../domain/practices/api-key.ts';
import { words } from '../text.ts';

/** By default, a key has every scope but `webhooks:write` and never expires. */
export const newKey = z.strictObject({
  name: words(200),
  scopes: z.optional(z.array(z.enum(scopes)).check(z.minLength(1))),
  expiresInDays: z.optional(z.int().check(z.minimum(1), z.maximum(3650))),
});
export type NewKey = z.infer<typeof newKey>;

const rotationEnd = z.enum(['now', '1h', '24h', '7d']);
export type RotationEnd = z.infer<typeof rotationEnd>;

export const keyRotation = z.strictObject({ end: z._default(rotationEnd, '24h') });
