import * as z from 'zod/mini';
import { managementProblems } from '../management-problems.ts';
import { bodyProblems } from '../problems.ts';
import { practiceSettingsBody } from './get-settings.ts';
import { takesNothing } from '../route.ts';
import { memberProblems, ofPractice, practiceParams, type MemberRoute } from './dashboard-route.ts';

/** A file, in base64. */
const picture = z.pipe(
  z.base64().check(z.minLength(1)),
  z.transform((text) => Uint8Array.from(atob(text), (character) => character.charCodeAt(0))),
);

export const changeLogoRoute = {
  ...takesNothing,
  method: 'POST',
  path: `${ofPractice}/logo`,
  access: { role: 'admin' },
  summary: "Change the practice's logo",
  description: 'Null removes it.',
  params: practiceParams,
  body: z.strictObject({ logo: z.nullable(picture) }),
  maximumBodyBytes: 150 * 1024,
  status: 200,
  response: practiceSettingsBody,
  problems: { ...memberProblems, ...bodyProblems, logo_not_accepted: managementProblems.logo_not_accepted },
} as const satisfies MemberRoute;
