import * as z from 'zod';
import { inviteMember } from '../../functions/team/invitations.ts';
import { resetMfa } from '../../functions/team/reset-mfa.ts';
import { author, command, described, ofPractice, requiredText, wholeNumber } from './command.ts';
import { OperatorError } from './stack.ts';
import type { AuditEntry } from '../../functions/domain/team/audit-entry.ts';
import { unreachable } from '../../functions/domain/fault.ts';
import { requirePractice } from '../../functions/practices/require-practice.ts';
import { listAuditLog } from '../../functions/store/team/audit-log.ts';
import { table } from './layout.ts';

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

export const auditLog = command({
  group: 'Practices',
  summary: 'List who changed what, newest first.',
  options: { ...ofPractice, limit: wholeNumber('how many, 1 to 250; 100 by default', '10', [1, 250]) },
  run: async ({ database }, { practice: practiceId, limit = 100 }) => {
    await requirePractice(database, practiceId);
    const { entries, nextCursor } = await listAuditLog(database, practiceId, { limit });
    return { entries, more: nextCursor !== null };
  },
  show: ({ entries, more }, page) => {
    const rows = entries.map(({ at, author, action, target, details = {} }) => {
      const facts = Object.entries(details).map(([name, value]) => `${name}=${value}`);
      return [at, action, target, ...authorCells(author), facts.join(', ')];
    });
    const listed = table(page, ['Time', 'Action', 'Target', 'By', 'From', 'Connected from', 'Details'], rows);
    return more ? `${listed}\n\nThere are more: raise --limit, or export the practice.` : listed;
  },
});

function authorCells(author: AuditEntry['author']): [by: string, from?: string, connectedFrom?: string | undefined] {
  switch (author.kind) {
    case 'user':
      return [author.email ?? author.userId, author.address, author.sourceAddress];
    case 'api_key':
      return [`API key ${author.name}`, author.address];
    case 'operator':
    case 'processor':
      return [author.kind];
    default:
      return unreachable(author);
  }
}
