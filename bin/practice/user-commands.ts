import * as z from 'zod/mini';
import { command } from './command.ts';
import { OperatorError } from './stack.ts';

export const userCommands = {
  'reset-mfa': command({ email: z.email() }, async ({ userPool }, { email }) => {
    if (!userPool) throw new OperatorError('This stack has no users of its own: reset MFA where they sign in.');
    if (!(await userPool.resetMfa(email))) throw new OperatorError(`There is no user ${email}.`);
    return { email, mfa: 'reset' };
  }),
};
