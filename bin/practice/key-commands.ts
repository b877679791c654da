import { addKey, listKeys, revokeKey, rotateKey } from '../../functions/practices/keys.ts';
import { author, command, id, list, ofPractice, text, wholeNumber } from './command.ts';

export const keyCommands = {
  'add-key': command(
    { ...ofPractice, name: text, scopes: list, 'expires-in-days': wholeNumber },
    (stack, { practice: practiceId, name, scopes, 'expires-in-days': expiresInDays }, now) =>
      addKey(stack, { practiceId, author, name, scopes, expiresInDays }, now),
  ),
  'rotate-key': command(
    { ...ofPractice, key: id, end: text },
    (stack, { practice: practiceId, key: keyId, end }, now) =>
      rotateKey(stack, { practiceId, keyId, author, end }, now),
  ),
  'list-keys': command(ofPractice, (stack, { practice: practiceId }) => listKeys(stack, { practiceId })),
  'revoke-key': command({ ...ofPractice, key: id }, (stack, { practice: practiceId, key: keyId }, now) =>
    revokeKey(stack, { practiceId, keyId, author }, now),
  ),
};
