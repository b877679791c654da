import * as z from 'zod/mini';
import type { Problem } from '../../functions/contract/problems.ts';

const remedies: Partial<Record<Problem['code'], string>> = {
  contact_required: 'Use --support-phone or --support-email.',
  webhook_endpoint_disabled: 'Use `enable-webhook`.',
  delivery_in_progress: 'The result will be in `deliveries`.',
};

const faultyInput = z.object({ errors: z.array(z.object({ pointer: z.string(), detail: z.string() })) });

/** Names the options that caused it. */
export function problemText({ code, message, extra }: Problem): string {
  const faulty = z.safeParse(faultyInput, extra);
  const options = faulty.data?.errors.filter(({ pointer }) => pointer !== '') ?? [];
  if (options.length > 0) return options.map(({ pointer, detail }) => `${optionOf(pointer)}: ${detail}`).join(' ');
  return [message, remedies[code]].filter(Boolean).join(' ');
}

const renamed: Readonly<Record<string, string>> = { eventTypes: 'events', retryPolicy: 'retry', primaryColor: 'color' };

/** `/linkLifetimeDays` is `--link-lifetime-days`. */
function optionOf(pointer: string): string {
  const field = pointer.split('/')[1] ?? '';
  return `--${renamed[field] ?? field.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}
