import { defaultScopes, scopes } from '../../functions/domain/practices/api-key.ts';
import { addKey, listKeys, revokeKey, rotateKey } from '../../functions/practices/keys.ts';
import { author, command, keyId, list, ofPractice, requiredText, text, wholeNumber } from './command.ts';
import { table } from './layout.ts';

const group = 'API keys';
const ofKey = { ...ofPractice, key: keyId };

export const keyCommands = {
  'add-key': command({
    group,
    summary: 'Add an API key. It is shown only once.',
    options: {
      ...ofPractice,
      name: requiredText('N', 'what the key is for, 1 to 200 characters', 'billing'),
      scopes: list(
        'SCOPES',
        `some of ${scopes.join(', ')}; ${defaultScopes.join(', ')} by default`,
        'sessions:read,events:read',
      ),
      expiresInDays: wholeNumber('1 to 3650; never by default', '365'),
    },
    run: (stack, { practice: practiceId, name, scopes: granted, expiresInDays }, now) =>
      addKey(stack, { practiceId, author, name, scopes: granted, expiresInDays }, now),
  }),
  'rotate-key': command({
    group,
    summary: 'Replace a key by one with the same name, scopes and lifetime. The old key expires.',
    options: { ...ofKey, end: text('TIME', 'when the old key expires: now, 1h, 24h (default) or 7d', '1h') },
    run: (stack, { practice: practiceId, key, end }, now) =>
      rotateKey(stack, { practiceId, keyId: key, author, end }, now),
  }),
  'list-keys': command({
    group,
    summary: 'List keys, without their secrets.',
    options: ofPractice,
    run: (stack, { practice: practiceId }) => listKeys(stack, { practiceId }),
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
    group,
    summary: 'Revoke a key. Takes effect on the next request.',
    options: ofKey,
    run: (stack, { practice: practiceId, key }, now) => revokeKey(stack, { practiceId, keyId: key, author }, now),
  }),
};
