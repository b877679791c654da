import {
  auditActions,
  type AuditAction,
  type AuditEntry,
  type Author,
} from '../../../functions/domain/team/audit-entry.ts';
import { hour } from '../../../functions/domain/time.ts';
import { before } from './time-data.ts';

const ana: Author = {
  kind: 'user',
  userId: 'usr_you',
  email: 'ana.ruiz@lakeside.example',
  address: '198.51.100.24',
  sourceAddress: '192.0.2.80',
};
const operator: Author = { kind: 'operator' };
const authors = [ana, ana, operator];

const targets: Partial<Record<AuditAction, Pick<AuditEntry, 'target' | 'details'>>> = {
  'api_key.created': { target: 'kNew000000003', details: { name: 'Front desk tablet' } },
  'webhook_endpoint.moved': {
    target: 'whe_billing',
    details: { url: 'https://billing.lakeside.example/webhooks/payments' },
  },
  'member.role_changed': { target: 'usr_sam', details: { email: 'sam.lee@lakeside.example', role: 'staff' } },
  'session.link_replaced': { target: 'ses_01KAGPAID00000000000000000' },
};

/** Every kind of entry twice, newest first. */
export function auditLog(): AuditEntry[] {
  return [...auditActions, ...auditActions].map((action, index) => ({
    practiceId: 'prc_lakeside',
    entryId: `aud_01KAG${String(99 - index).padStart(21, '0')}`,
    at: before((index + 1) * 7 * hour),
    author: authors[index % 3] ?? ana,
    action,
    ...targets[action],
  }));
}
