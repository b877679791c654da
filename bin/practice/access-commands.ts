import * as z from 'zod';
import { defaultScopes, scopes } from '../../functions/domain/practices/api-key.ts';
import { addKey, listKeys, revokeKey, rotateKey } from '../../functions/practices/keys.ts';
import { inviteMember } from '../../functions/team/invitations.ts';
import { resetMfa } from '../../functions/team/reset-mfa.ts';
import type { AuditEntry } from '../../functions/domain/team/audit-entry.ts';
import { unreachable } from '../../functions/domain/fault.ts';
import { requireOwner } from '../../functions/practices/requirements.ts';
import { listAuditLog } from '../../functions/store/team/audit-log.ts';
import { command, keyId, list, ofOwner, requiredText, text, wholeNumber, described } from './command.ts';
import { table } from './layout.ts';
import { OperatorError } from './stack.ts';

const ofKey = { ...ofOwner, keyId };

export const keyCommands = {
  'add-key': command({
    group: 'API keys',
    summary: 'Add an API key. It is shown only once.',
    options: {
      ...ofOwner,
      name: requiredText('N', 'what the key is for, 1 to 200 characters', 'billing'),
      scopes: list(
        'SCOPES',
        `some of ${scopes.join(', ')}; ${defaultScopes.join(', ')} by default`,
        'sessions:read,events:read',
      ),
      expiresInDays: wholeNumber('1 to 3650; never by default', '365'),
    },
    run: addKey,
  }),
  'rotate-key': command({
    group: 'API keys',
    summary: 'Replace a key with one that has the same name, scopes and lifetime. The old key expires.',
    options: { ...ofKey, end: text('TIME', 'when the old key expires: now, 1h, 24h (default) or 7d', '1h') },
    run: rotateKey,
  }),
  'list-keys': command({
    group: 'API keys',
    summary: 'List keys, without their secrets.',
    options: ofOwner,
    run: listKeys,
    show: ({ keys }, page) =>
      table(
        page,
        ['Key ID', 'Name', 'Scopes', 'Created', 'Expires', 'Revoked', 'Last used'],
        keys.map((key) => [
          key.keyId,
          key.name,
          key.scopes.join(','),
          key.createdAt,
          key.expiresAt,
          key.revokedAt,
          key.lastUsedOn,
        ]),
      ),
  }),
  'revoke-key': command({
    group: 'API keys',
    summary: 'Revoke a key. Takes effect on the next request.',
    options: ofKey,
    run: revokeKey,
  }),
};

const address = {
  placeholder: 'E',
  summary: "the user's email address",
  example: 'dana@lakeside.example',
};

export const userCommands = {
  'add-member': command({
    group: 'Dashboard',
    summary: 'Invite a user to the dashboard: prints a link that works once, for 7 days.',
    options: {
      ...ofOwner,
      email: described(z.string(), address),
      role: requiredText('ROLE', 'admin, staff or viewer', 'admin'),
    },
    run: inviteMember,
  }),
  'reset-mfa': command({
    group: 'Dashboard',
    summary: 'Reset a user: they get a new temporary password and set up MFA again.',
    options: { email: described(z.email(), address) },
    run: async (stack, input, now) => {
      const { userPool } = stack;
      if (!userPool) throw new OperatorError('This stack uses another issuer: reset MFA there.');
      return resetMfa({ ...stack, userPool }, input, now);
    },
  }),
};

export const auditLog = command({
  group: 'Practices',
  summary: 'List who changed what, newest first.',
  options: { ...ofOwner, limit: wholeNumber('how many, 1 to 250; 100 by default', '10', [1, 250]) },
  run: async ({ database }, { practiceId, limit = 100 }) => {
    await requireOwner(database, practiceId);
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
