import * as z from 'zod';
import { inviteMember } from '../../functions/team/invitations.ts';
import { resetMfa } from '../../functions/team/reset-mfa.ts';
import { author, command } from './command.ts';
import { described, ofPractice, requiredText } from './option.ts';
import { OperatorError } from './stack.ts';

const group = 'Dashboard';
const address = {
  placeholder: 'E',
  summary: "the user's email address",
  example: 'dana@lakeside.example',
};

export const userCommands = {
  'add-member': command({
    group,
    summary: 'Invite a user to the dashboard: prints a link that works once, for 7 days.',
    options: {
      ...ofPractice,
      email: described(z.string(), address),
      role: requiredText('ROLE', 'admin, staff or viewer', 'admin'),
    },
    run: (stack, { practice: practiceId, email, role }, now) =>
      inviteMember(stack, { practiceId, author, email, role }, now),
  }),
  'reset-mfa': command({
    group,
    summary: 'Reset a user: they get a new temporary password and set up MFA again.',
    options: { email: described(z.email(), address) },
    run: async (stack, { email }, now) => {
      const { userPool } = stack;
      if (!userPool) throw new OperatorError('This stack uses another issuer: reset MFA there.');
      return resetMfa({ ...stack, userPool }, { email, author }, now);
    },
  }),
};
