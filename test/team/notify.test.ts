import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { AlertEvent, MailTicket } from '../../functions/contract/webhooks/tickets.ts';
import { day, hour, toIso } from '../../functions/domain/time.ts';
import { notifyAdmins, notifyMembers } from '../../functions/team/notify.ts';
import { sendMemberMail } from '../../functions/team/send-mail.ts';
import { newAuditEntry, type AuditAction } from '../../functions/domain/team/audit-entry.ts';
import type { Member } from '../../functions/domain/team/member.ts';
import { sensitiveActions } from '../../functions/domain/team/sensitive-action.ts';
import type { Mail } from '../../functions/messages/team/mail.ts';
import type { Ticket } from '../../functions/messages/queues.ts';
import { storeSession } from '../support/create-practice.ts';
import { writeAuditEntry } from '../../functions/store/team/audit-log.ts';
import type { WebhookEndpoint } from '../../functions/domain/webhooks/webhook-endpoint.ts';
import { newMemberPart } from '../../functions/store/team/members.ts';
import { transact } from '../../functions/store/transact.ts';
import { aPractice } from '../practices/a-practice.ts';
import { author } from '../support/create-practice.ts';
import { startTestTables } from '../support/tables.ts';
import { storeEndpoint } from '../support/webhook-endpoint.ts';

const tables = await startTestTables();
const { database } = tables;

const now = Date.parse('2026-11-20T15:00:00.000Z');
const dashboardUrl = 'https://practice.example.com';

async function aTeam(...members: Partial<Member>[]) {
  const { practiceId } = await aPractice(tables);
  for (const [index, differences] of members.entries()) {
    const user = { userId: `usr_${index}`, issuer: 'https://issuer.example', subject: String(index) };
    const role = { role: 'viewer', mailTopics: [], createdAt: '2026-11-20T09:00:00.000Z' } as const;
    await transact(database, { member: newMemberPart(database, { practiceId, ...user, ...role, ...differences }) });
  }
  const tickets: Ticket[] = [];
  const mails: Mail[] = [];
  const notifying = { database, sendMails: async (sent: readonly Ticket[]) => void tickets.push(...sent) };
  const sending = { database, dashboardUrl, sendMail: async (mail: Mail) => void mails.push(mail) };
  return {
    practiceId,
    tickets,
    mails,
    notifying,
    sending,
    /** Records a change, and sends its emails. */
    async change(entry: Pick<Parameters<typeof newAuditEntry>[1], 'author' | 'action' | 'details'>) {
      const written = newAuditEntry({ randomBytes }, { practiceId, ...entry }, now);
      await writeAuditEntry(database, written);
      await notifyAdmins(notifying, written);
      for (const { body } of tickets) await sendMemberMail(sending, body as MailTicket, now);
    },
    recipients: () => tickets.map(({ body }) => (body as MailTicket).userId),
  };
}

describe('an audit entry', () => {
  it('is emailed to every admin with an address, and to nobody else', async () => {
    const team = await aTeam(
      { role: 'admin', email: 'ada@lakeside.example' },
      { role: 'admin' },
      { role: 'staff', email: 'sam@lakeside.example', mailTopics: ['payment_returned'] },
      { role: 'admin', email: 'alex@lakeside.example' },
    );
    await notifyAdmins(team.notifying, { practiceId: team.practiceId, entryId: 'aud_1' });
    expect(team.recipients()).toEqual(['usr_0', 'usr_3']);
  });

  it('says who did what, when and from where, without the details', async () => {
    const team = await aTeam({ role: 'admin', email: 'alex@lakeside.example' });
    const { practiceId } = team;
    const details = { url: 'https://hooks.example.com/secret-path' };
    const relayed = { ...author, sourceAddress: '198.51.100.9' } as const;
    const entry = newAuditEntry(
      { randomBytes },
      { practiceId, author: relayed, action: 'webhook_endpoint.moved', details },
      now,
    );
    await writeAuditEntry(database, entry);
    await notifyAdmins(team.notifying, entry);
    for (const { body } of team.tickets) await sendMemberMail(team.sending, body as MailTicket, now);
    expect(team.mails).toEqual([
      {
        to: 'alex@lakeside.example',
        subject: 'A webhook endpoint was moved to another URL at Lakeside Family Practice',
        text: expect.stringContaining(`Who:  ada@lakeside.example
When: November 20, 2026 at 10:00:00 AM EST
From: 192.0.2.1, connected from 198.51.100.9
`),
      },
    ]);
    expect(team.mails[0]?.text).toContain(`${dashboardUrl}/${practiceId}/audit-log`);
    expect(team.mails[0]?.text).not.toContain('secret-path');
  });

  it.each([
    [
      { kind: 'api_key', keyId: 'key_1', name: 'billing\r\nFrom: 192.0.2.7', address: '192.0.2.1' },
      'the API key “billing\ufffdFrom: 192.0.2.7” (key_1)',
    ],
    [
      { kind: 'user', userId: 'usr_1', email: 'ada@lakeside.example\u2028\u202e', address: '192.0.2.1' },
      'ada@lakeside.example\ufffd',
    ],
  ] as const)('has no line that the name of its author forges', async (forger, who) => {
    const team = await aTeam({ role: 'admin', email: 'alex@lakeside.example' });
    const { practiceId } = team;
    const entry = newAuditEntry({ randomBytes }, { practiceId, author: forger, action: 'webhook_endpoint.moved' }, now);
    await writeAuditEntry(database, entry);
    await notifyAdmins(team.notifying, entry);
    for (const { body } of team.tickets) await sendMemberMail(team.sending, body as MailTicket, now);
    expect(team.mails[0]?.text).toContain(`\nWho:  ${who}\nWhen: `);
  });

  it('by the operator says to ask them: there is no member to remove', async () => {
    const team = await aTeam({ role: 'admin', email: 'alex@lakeside.example' });
    await team.change({ author: { kind: 'operator' }, action: 'webhook_endpoint.created' });
    expect(team.mails[0]?.text).toContain('ask the operator.');
    expect(team.mails[0]?.text).not.toContain('remove that member');
  });

  it.each([
    [
      { ...author, platformId: 'plt_harbor' },
      'practice.updated',
      'ada@lakeside.example, for the platform of the practice',
    ],
    [
      { kind: 'api_key', keyId: 'key_1', name: 'Vendor', platformId: 'plt_harbor', address: '192.0.2.1' },
      'deposit_destination.opened',
      'the API key “Vendor” (key_1), for the platform of the practice',
    ],
    [{ kind: 'operator' }, 'practice.joined_platform', 'the operator of the payment service'],
  ] as const)('of what a platform does, or of a new one, says where to end its access', async (by, action, who) => {
    const team = await aTeam({ role: 'admin', email: 'alex@lakeside.example' });
    await team.change({ author: by, action, details: { name: 'Another name' } });
    expect(team.mails[0]?.text).toContain(`Who:  ${who}\n`);
    expect(team.mails[0]?.text).toContain(
      `end the platform's access:\n${dashboardUrl}/${team.practiceId}/settings/practice`,
    );
    expect(team.mails[0]?.text).not.toContain('remove that member');
  });

  it('of a deadline of the processor says in words what it needs, and by when', async () => {
    const team = await aTeam({ role: 'admin', email: 'alex@lakeside.example' });
    await team.change({
      author: { kind: 'processor' },
      action: 'deposit_requirements.due',
      details: { deadline: '2026-12-31T17:00:00.000Z', needs: 'tax_id document' },
    });
    expect(team.mails[0]?.text).toContain('by December 31, 2026 at 12:00:00 PM EST:');
    expect(team.mails[0]?.text).toContain('- A tax ID: the practice’s EIN, or the number of a person\n- A document');
    expect(team.mails[0]?.text).not.toContain('remove that member');
  });

  it('of a refund, in live mode, names neither its amount nor its reason', async () => {
    const team = await aTeam({ role: 'admin', email: 'alex@lakeside.example' });
    await team.change({ author, action: 'session.refunded', details: { amountCents: '5000', reason: 'Paid twice' } });
    expect(team.mails).toMatchObject([
      { subject: 'Someone asked for a refund of a payment at Lakeside Family Practice' },
    ]);
    expect(team.mails[0]?.text).not.toMatch(/5000|Paid twice/);
    expect(sensitiveActions('live')).toContain('session.refunded');
    expect(sensitiveActions('sandbox')).not.toContain('session.refunded');
  });

  it('of stopped debits says what patients see', async () => {
    const team = await aTeam({ role: 'admin', email: 'alex@lakeside.example' });
    await team.change({ author: { kind: 'processor' }, action: 'debits.stopped' });
    expect(team.mails[0]?.subject).toMatch(/^Patients can no longer pay/);
    expect(team.mails[0]?.text).toContain('they say that patients cannot pay right now');
  });

  it('of resumed debits asks for nothing: the processor did it', async () => {
    const team = await aTeam({ role: 'admin', email: 'alex@lakeside.example' });
    await team.change({ author: { kind: 'processor' }, action: 'debits.resumed' });
    expect(team.mails[0]?.subject).toBe('Patients can pay again at Lakeside Family Practice');
    expect(team.mails[0]?.text).toMatch(
      /^Since .+, the payment processor has been taking payments for the practice again\./,
    );
    expect(team.mails[0]?.text).toMatch(/you do not need to do anything\.\n$/);
  });

  it('of a removed or demoted admin is emailed to them too', async () => {
    const team = await aTeam(
      { role: 'admin', email: 'ada@lakeside.example' },
      { role: 'staff', email: 'bob@lakeside.example' },
    );
    const { practiceId } = team;
    const tell = async (action: AuditAction, target: string, details: Record<string, string>) => {
      const entry = newAuditEntry({ randomBytes }, { practiceId, author, action, target, details }, now);
      await writeAuditEntry(database, entry);
      await notifyAdmins(team.notifying, entry);
      for (const { body } of team.tickets.splice(0)) await sendMemberMail(team.sending, body as MailTicket, now);
      return team.mails.splice(0).map(({ to }) => to);
    };
    const [email, bob] = ['alex@lakeside.example', 'bob@lakeside.example'];
    expect(await tell('member.removed', 'usr_gone', { email, role: 'admin' })).toEqual(['ada@lakeside.example', email]);
    expect(await tell('member.removed', 'usr_gone', { email, role: 'staff' })).toEqual(['ada@lakeside.example']);
    expect(await tell('member.role_changed', 'usr_1', { email: bob, from: 'admin', to: 'staff' })).toEqual([
      'ada@lakeside.example',
      bob,
    ]);
  });

  const subjectsOf = async (action: AuditAction, details: Record<string, string>) => {
    const team = await aTeam({ role: 'admin', email: 'alex@lakeside.example' });
    const { practiceId } = team;
    const entry = newAuditEntry({ randomBytes }, { practiceId, author, action, details }, now);
    await writeAuditEntry(database, entry);
    const ticket = { practiceId, userId: 'usr_0', about: 'audit_entry', subjectId: entry.entryId } as const;
    await sendMemberMail(team.sending, ticket, now);
    return team.mails.map(({ subject }) => subject);
  };

  it.each<[AuditAction, Record<string, string>]>([
    ['session.created', {}],
    ['practice.updated', { primaryColor: '#0f766e', timeZone: 'America/Chicago', removed: 'logoUrl' }],
  ])('of %s with %o is not emailed', async (action, details) => {
    expect(await subjectsOf(action, details)).toEqual([]);
  });

  it.each<Record<string, string>>([
    { retentionMonths: '1' },
    { invoiceGuard: 'false' },
    { name: 'Hillside' },
    { supportPhone: '+1 555 010 0199' },
    { primaryColor: '#0f766e', supportEmail: 'billing@hillside.example' },
    { postalAddress: '8 Harbor Road' },
    { removed: 'privacyUrl' },
    { removed: 'logoUrl termsUrl' },
  ])('of settings that patients depend on is emailed: %o', async (details) => {
    expect(await subjectsOf('practice.updated', details)).toEqual([
      'Important settings were changed at Lakeside Family Practice',
    ]);
  });
});

describe('an alert', () => {
  const anAlert = (practiceId: string, differences: Partial<AlertEvent> = {}): AlertEvent => ({
    practiceId,
    about: 'session.payment.returned',
    subjectId: 'ses_1',
    eventId: 'evt_1',
    time: toIso(now),
    ...differences,
  });

  it('is emailed to the members who chose its topic, once for each event, however often it is published', async () => {
    const team = await aTeam(
      { role: 'admin', email: 'ada@lakeside.example', mailTopics: ['payment_failed', 'daily_summary'] },
      { email: 'vic@lakeside.example', mailTopics: ['payment_arrived', 'payment_returned'] },
      { mailTopics: ['payment_returned'] },
    );
    const { practiceId } = team;
    const { sessionId } = await storeSession(database, { status: 'succeeded', practiceId }, now);
    const returned = { about: 'session.payment.returned', subjectId: sessionId } as const;
    for (let published = 0; published < 2; published += 1)
      await notifyMembers(team.notifying, anAlert(practiceId, returned), now);
    expect(team.tickets.map(({ body }) => body)).toEqual([{ practiceId, userId: 'usr_1', ...returned, left: 4 }]);
    for (const { body } of team.tickets) await sendMemberMail(team.sending, body as MailTicket, now);
    expect(team.mails).toMatchObject([
      { to: 'vic@lakeside.example', subject: 'A payment to Lakeside Family Practice was returned' },
    ]);
    expect(team.mails[0]?.text).toContain(`${dashboardUrl}/${practiceId}/sessions/${sessionId}`);
  });

  it('is not emailed after five others of its kind in that hour, and the fifth says so', async () => {
    const team = await aTeam({ email: 'vic@lakeside.example', mailTopics: ['payment_arrived', 'payment_failed'] });
    const { practiceId } = team;
    const arrive = async (count: number, differences: Partial<AlertEvent> = {}) => {
      const ids = Array.from({ length: count }, () => randomBytes(6).toString('hex'));
      const about = 'session.payment.succeeded';
      await Promise.all(
        ids.map((eventId) =>
          notifyMembers(team.notifying, anAlert(practiceId, { about, eventId, ...differences }), now),
        ),
      );
    };
    await arrive(50);
    expect(team.tickets).toHaveLength(5);
    for (const { body } of team.tickets) await sendMemberMail(team.sending, body as MailTicket, now);
    expect(team.mails.filter(({ text }) => text.includes('within the hour'))).toHaveLength(1);
    await arrive(1, { about: 'session.payment.failed' });
    await arrive(1, { time: toIso(now + hour) });
    expect(team.tickets).toHaveLength(7);
  });

  it('of days ago, as after a restore, is not emailed', async () => {
    const team = await aTeam({ email: 'vic@lakeside.example', mailTopics: ['payment_returned'] });
    await notifyMembers(team.notifying, anAlert(team.practiceId, { time: toIso(now - 3 * day) }), now);
    expect(team.tickets).toEqual([]);
    await notifyMembers(team.notifying, anAlert(team.practiceId, { time: toIso(now - day) }), now);
    expect(team.tickets).toHaveLength(1);
  });

  it('whose tickets the queue does not take is emailed when it is tried again', async () => {
    const team = await aTeam({ email: 'vic@lakeside.example', mailTopics: ['payment_returned'] });
    const refusing = { database, sendMails: () => Promise.reject(new Error('ServiceUnavailable')) };
    const alert = anAlert(team.practiceId);
    await expect(notifyMembers(refusing, alert, now)).rejects.toThrow('ServiceUnavailable');
    await notifyMembers(team.notifying, alert, now);
    expect(team.tickets).toHaveLength(1);
  });

  it.each(['failed', 'succeeded', 'refunded', 'refund_failed', 'link_requested'] as const)(
    'of a payment that %s leads to its session, and names neither the patient nor the invoice',
    async (what) => {
      const team = await aTeam({ email: 'vic@lakeside.example' });
      const { practiceId } = team;
      const { sessionId } = await storeSession(database, { practiceId }, now);
      const about = `session.payment.${what}` as const;
      await sendMemberMail(team.sending, { practiceId, userId: 'usr_0', about, subjectId: sessionId }, now);
      expect(team.mails).toMatchObject([{ to: 'vic@lakeside.example' }]);
      const [{ subject, text } = { subject: '', text: '' }] = team.mails;
      expect(subject).toContain('Lakeside Family Practice');
      expect(text).toContain(`${dashboardUrl}/${practiceId}/sessions/${sessionId}`);
      expect(subject + text).not.toMatch(/INV|Ada|Okafor|undefined/);
    },
  );

  it('of a return after a refund says that the patient was paid twice, and to send no link', async () => {
    const team = await aTeam({ email: 'vic@lakeside.example' });
    const { practiceId } = team;
    const refund = { amountCents: 5000, refundedAt: '2026-11-20T12:00:00.000Z' };
    const { sessionId } = await storeSession(database, { status: 'succeeded', practiceId, refund }, now);
    const about = 'session.payment.returned';
    await sendMemberMail(team.sending, { practiceId, userId: 'usr_0', about, subjectId: sessionId }, now);
    expect(team.mails[0]?.subject).toMatch(/^A patient of .* was paid back twice$/);
    expect(team.mails[0]?.text).toContain('Do not send a new link');
  });

  it('of a refund that failed says who has the money', async () => {
    const team = await aTeam({ email: 'vic@lakeside.example' });
    const { practiceId } = team;
    const about = 'session.payment.refund_failed';
    await sendMemberMail(team.sending, { practiceId, userId: 'usr_0', about, subjectId: 'ses_1' }, now);
    expect(team.mails[0]?.text).toMatch(
      /You have the money again, unless your payments go through the account of whoever/,
    );
    expect(team.mails[0]?.text).toContain('Ask them for it if it is not in your payouts within a week.');
  });

  it.each(['webhook.endpoint.failing', 'webhook.endpoint.disabled'] as const)(
    'of %s names only the host of the URL',
    async (about) => {
      const team = await aTeam({ email: 'vic@lakeside.example' });
      const { practiceId } = team;
      const { endpointId } = await storeEndpoint(database, { practiceId, url: 'https://hooks.example.com/token' });
      await sendMemberMail(team.sending, { practiceId, userId: 'usr_0', about, subjectId: endpointId }, now);
      expect(team.mails[0]?.text).toContain('hooks.example.com');
      expect(team.mails[0]?.text).not.toContain('token');
    },
  );

  const failing = 'webhook.endpoint.failing';
  const disabled = 'webhook.endpoint.disabled';
  const once = 'is not sent again: once the cause is fixed, replay what failed.';
  it.each<[typeof failing | typeof disabled, Partial<WebhookEndpoint>, string[]]>([
    [failing, { lastFailure: { statusCode: 404 } }, ['The last answer was HTTP 404.', once]],
    [failing, { lastFailure: { statusCode: 404 }, retryPolicy: 'all' }, ['HTTP 404.', 'up to 10 times.']],
    [failing, { lastFailure: { statusCode: 503 } }, ['The last answer was HTTP 503.', 'up to 10 times.']],
    [
      failing,
      { lastFailure: { statusCode: 301, redirectsTo: 'https://www.example.com/token' } },
      ["HTTP 301, a redirect to www.example.com. We do not follow redirects: change the endpoint's URL.", once],
    ],
    [failing, { lastFailure: { statusCode: 308, redirectsTo: 'http://[token' } }, ['a redirect to another address.']],
    [
      failing,
      { lastFailure: { error: 'certificate_expired' } },
      ['ended with: certificate expired.', 'up to 10 times.'],
    ],
    [
      failing,
      { lastFailure: { error: 'unreadable_response' } },
      ['ended with: unreadable response.', 'up to 3 times.'],
    ],
    [failing, { lastFailure: { error: 'blocked_address' } }, ['ended with: blocked address.', once]],
    [failing, {}, ['Webhooks to hooks.example.com are failing. If they']],
    [disabled, { lastFailure: { statusCode: 410 } }, ['The last answer was HTTP 410.']],
    [disabled, { lastFailure: { error: 'host_not_found' } }, ['ended with: host not found.']],
  ])('of %s with %j says what happened, and whether it is retried', async (about, differences, texts) => {
    const team = await aTeam({ email: 'vic@lakeside.example' });
    const { practiceId } = team;
    const endpoint = { practiceId, url: 'https://hooks.example.com/token', ...differences };
    const { endpointId } = await storeEndpoint(database, endpoint);
    await sendMemberMail(team.sending, { practiceId, userId: 'usr_0', about, subjectId: endpointId }, now);
    const text = team.mails[0]?.text ?? '';
    for (const part of texts) expect(text).toContain(part);
    expect(text).toContain(`${dashboardUrl}/docs/webhooks#why-did-an-attempt-fail`);
    expect(text).not.toMatch(/token|keep retrying|undefined/);
  });

  it('of an endpoint that was deleted, or to a member who was removed, is not sent', async () => {
    const team = await aTeam({ email: 'vic@lakeside.example' });
    const { practiceId } = team;
    const failing = { practiceId, about: 'webhook.endpoint.failing', subjectId: 'whe_none' } as const;
    await sendMemberMail(team.sending, { ...failing, userId: 'usr_0' }, now);
    const returned = { practiceId, about: 'session.payment.returned', subjectId: 'ses_1' } as const;
    await sendMemberMail(team.sending, { ...returned, userId: 'usr_removed' }, now);
    expect(team.mails).toEqual([]);
  });

  it('that the mail provider refuses is a failure, so that its ticket is retried', async () => {
    const team = await aTeam({ email: 'vic@lakeside.example' });
    const refusing = { ...team.sending, sendMail: () => Promise.reject(new Error('MessageRejected')) };
    const { practiceId } = team;
    const about = 'session.payment.refund_failed';
    const ticket = { practiceId, userId: 'usr_0', about, subjectId: 'ses_1' } as const;
    await expect(sendMemberMail(refusing, ticket, now)).rejects.toThrow('MessageRejected');
  });
});
