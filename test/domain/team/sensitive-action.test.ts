import { expect, it } from 'vitest';
import { formerAdmin, sensitiveActionOf, sensitiveActions } from '../../../functions/domain/team/sensitive-action.ts';

it('in the sandbox, admins get emails about fewer actions', () => {
  expect(sensitiveActions('sandbox')).not.toContain('session.refunded');
  expect(sensitiveActions('live')).toEqual(
    expect.arrayContaining(['session.refunded', ...sensitiveActions('sandbox')]),
  );
});

it.each([
  [{ action: 'signing_secret.revealed' }, 'signing_secret.revealed'],
  [{ action: 'deposit_destination.changed' }, 'deposit_destination.changed'],
  [{ action: 'practice.updated', details: { invoiceGuard: 'false' } }, 'practice.updated'],
  [{ action: 'practice.updated', details: { removed: 'logoUrl supportPhone' } }, 'practice.updated'],
  [{ action: 'practice.updated', details: { removed: 'logoUrl', primaryColor: '#123456' } }, undefined],
  [{ action: 'practice.updated' }, undefined],
  [{ action: 'session.created' }, undefined],
] as const)('the sensitive action of %j is %s', (entry, action) => {
  expect(sensitiveActionOf(entry)).toBe(action);
});

it.each([
  ['member.removed', { email: 'ada@example.com', role: 'admin' }, true],
  ['member.removed', { email: 'ada@example.com', role: 'staff', from: 'admin' }, false],
  ['member.role_changed', { email: 'ada@example.com', role: 'staff', from: 'admin' }, true],
  ['member.role_changed', { email: 'ada@example.com', role: 'admin', from: 'staff' }, false],
  ['member.added', { email: 'ada@example.com', role: 'admin', from: 'admin' }, false],
  ['member.removed', { role: 'admin' }, false],
] as const)('whether %s with %j makes somebody a former admin: %s', (action, details, isFormer) => {
  const former = isFormer ? { userId: 'usr_1', email: 'ada@example.com' } : undefined;
  expect(formerAdmin({ action, target: 'usr_1', details })).toEqual(former);
  expect(formerAdmin({ action, target: undefined, details })).toBeUndefined();
  expect(formerAdmin({ action, target: 'usr_1', details: undefined })).toBeUndefined();
});
