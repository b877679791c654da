import * as z from 'zod/mini';
import { inviteMember } from '../../functions/dashboard/invitations.ts';
import { resetMfa } from '../../functions/dashboard/reset-mfa.ts';
import { author, command, ofPractice, text } from './command.ts';
import { OperatorError } from './stack.ts';

export const userCommands = {
  'add-member': command(
    { ...ofPractice, email: text, role: text },
    (stack, { practice: practiceId, email, role }, now) =>
      inviteMember(stack, { practiceId, author, email, role }, now),
  ),
  'reset-mfa': command({ email: z.email() }, async (stack, { email }, now) => {
    const { userPool } = stack;
    if (!userPool) throw new OperatorError('This stack has no users of its own: reset MFA where they sign in.');
    return resetMfa({ ...stack, userPool }, { email, author }, now);
  }),
};
