import * as z from 'zod/mini';

export const since = z.pipe(
  z
    .string()
    .check(
      z.refine(
        (date) => /^\d{4}-\d\d-\d\d/.test(date) && !Number.isNaN(Date.parse(date)),
        'Use a date like 2026-11-20 or 2026-11-20T15:00:00Z.',
      ),
    ),
  z.transform((date) => Date.parse(date)),
);
