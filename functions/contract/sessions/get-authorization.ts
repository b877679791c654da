import * as z from 'zod/mini';
import { bankAccount, debitReferences } from '../../domain/payments/debit.ts';
import { locales } from '../../domain/locale.ts';
import { isoTime } from '../../domain/time.ts';
import { keyProblems, type PracticeRoute } from '../practice-route.ts';
import type { Problems } from '../problems.ts';
import { aboutSession, sessionNotFound } from './session.ts';

export const authorizationNotFound = {
  authorization_not_found: { status: 404, title: 'There is no authorization.' },
} as const satisfies Problems;

export const sessionAuthorization = z.object({
  sessionId: z.string(),
  invoiceId: z.string(),
  amountCents: z.int(),
  text: z.string(),
  locale: z.enum(locales),
  textHash: z.string(),
  authorizedAt: isoTime,
  payerName: z.optional(z.string()),
  bankAccount,
  references: debitReferences,
});

export const getAuthorizationRoute = {
  ...aboutSession,
  method: 'GET',
  path: '/api/practice/sessions/{sessionId}/authorization',
  scope: 'authorizations:read',
  summary: "Get a session's authorization",
  description:
    'What to show a bank that asks whether the debit was authorized. No key has the scope unless it was asked for. ' +
    'It is kept for at least seven years, also after the patient was erased.',
  response: sessionAuthorization,
  problems: { ...keyProblems, ...sessionNotFound, ...authorizationNotFound },
} as const satisfies PracticeRoute;
