import * as z from 'zod/mini';
import { keyLifetimeDays, keyName, keyScopes, rotationEnd } from '../../functions/contract/practices.ts';
import { addKey, listKeys, revokeKey, rotateKey } from '../../functions/practices/keys.ts';
import { command, listOf, ofPractice, text, wholeNumber } from './command.ts';

export const keyCommands = {
  'add-key': command(
    {
      ...ofPractice,
      name: keyName,
      scopes: z.optional(listOf(keyScopes)),
      'expires-in-days': z.optional(wholeNumber(keyLifetimeDays)),
    },
    (stack, { practice: practiceId, name, scopes, 'expires-in-days': expiresInDays }, now) =>
      addKey(stack, { practiceId, name, scopes, expiresInDays }, now),
  ),
  'rotate-key': command(
    { ...ofPractice, key: text, end: z.optional(rotationEnd) },
    (stack, { practice: practiceId, key: keyId, end }, now) => rotateKey(stack, { practiceId, keyId, end }, now),
  ),
  'list-keys': command(ofPractice, (stack, { practice: practiceId }) => listKeys(stack, { practiceId })),
  'revoke-key': command({ ...ofPractice, key: text }, (stack, { practice: practiceId, key: keyId }, now) =>
    revokeKey(stack, { practiceId, keyId }, now),
  ),
};
