import { managementProblems } from '../management-problems.ts';
import { practiceSettings } from '../practices/practices.ts';
import { bodyProblems } from '../problems.ts';
import { practiceSettingsBody } from './get-settings.ts';
import { takesNothing } from '../route.ts';
import { memberProblems, ofPractice, practiceParams, type MemberRoute } from './dashboard-route.ts';

export const changeSettingsRoute = {
  ...takesNothing,
  method: 'POST',
  path: `${ofPractice}/settings`,
  access: { role: 'admin', recentSignIn: 'live_mode' },
  summary: "Change the practice's settings",
  description: 'An absent field keeps its value. Open sessions keep their lifetimes.',
  params: practiceParams,
  body: practiceSettings,
  status: 200,
  response: practiceSettingsBody,
  problems: { ...memberProblems, ...bodyProblems, contact_required: managementProblems.contact_required },
} as const satisfies MemberRoute;
