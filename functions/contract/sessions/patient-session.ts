import * as z from 'zod/mini';
import type { Route } from '../route.ts';
import { linkProblems, pendingProblems, returnsView, throughLink } from '../patient-route.ts';
import { practiceSuspended, bodyProblems } from '../problems.ts';
import { erasureProblems, authorizationNotFound } from './session.ts';

export const patientSessionRoutes = {
  getSession: {
    ...returnsView('GET'),
    summary: 'Get the view',
    description: 'Changes nothing, so link previews and mail scanners are harmless.',
    problems: linkProblems,
  },
  openSession: {
    ...returnsView('POST', '/open'),
    summary: 'Register the first open',
    description: "Starts the session's clock. Later calls change nothing.",
    problems: linkProblems,
  },
  extendSession: {
    ...returnsView('POST', '/extend'),
    summary: 'Extend the session',
    description: 'In its last five minutes, by a whole period, at most ten times.',
    problems: {
      ...linkProblems,
      ...pendingProblems,
      too_early_to_extend: { status: 409, title: 'The session has more than five minutes left.' },
      no_extensions_left: { status: 409, title: 'The session cannot be extended.' },
    },
  },
  requestLink: {
    ...throughLink('POST', '/link-request'),
    summary: 'Ask for a new link',
    description: 'Only for an expired link. Tells the practice at most once a day. The session stays as it is.',
    response: z.object({ linkRequest: z.literal('made') }),
    problems: {
      ...linkProblems,
      ...practiceSuspended,
      ...erasureProblems,
      session_closed: pendingProblems.session_closed,
    },
  },
} as const satisfies Readonly<Record<string, Route>>;

/** Available only in a stack with `mailFrom`. */
export const mailCopyRoutes = {
  mailCopy: {
    ...throughLink('POST', '/copy'),
    summary: 'Mail a copy of the authorization',
    description: 'Once per session. The address is used for this mail and kept nowhere.',
    body: z.strictObject({ email: z.email().check(z.maxLength(254)) }),
    response: z.object({}),
    problems: {
      ...linkProblems,
      ...bodyProblems,
      ...authorizationNotFound,
      copy_already_mailed: { status: 409, title: 'A copy was mailed before, or may have been.' },
      copy_not_mailed: { status: 503, title: 'The copy was not mailed.' },
    },
  },
} as const satisfies Readonly<Record<string, Route>>;
