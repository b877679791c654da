import { expect, test } from 'vitest';
import type { MailTicket } from '../../functions/contract/webhooks/tickets.ts';
import type { Practice } from '../../functions/domain/practices/practice.ts';
import type { Session } from '../../functions/domain/sessions/session.ts';
import type { SessionEventType } from '../../functions/domain/sessions/transitions.ts';
import { hour, toIso } from '../../functions/domain/time.ts';
import type { Mail } from '../../functions/messages/team/mail.ts';
import type { Ticket } from '../../functions/messages/queues.ts';
import { newMemberPart } from '../../functions/store/team/members.ts';
import { transact } from '../../functions/store/transact.ts';
import { change } from '../../functions/store/writes.ts';
import { putEvent } from '../../functions/store/webhooks/events.ts';
import { mailSummaries } from '../../functions/team/notify.ts';
import { sendMemberMail } from '../../functions/team/send-mail.ts';
import { aPractice } from '../practices/a-practice.ts';
import { storeSession } from '../support/create-practice.ts';
import { startTestTables } from '../support/tables.ts';

const tables = await startTestTables();
const { database } = tables;

/** 7:30 in New York, 4:30 in Los Angeles. */
const morning = Date.parse('2026-11-20T12:30:00.000Z');

async function aTeam(
  mailTopics: readonly 'daily_summary'[] = ['daily_summary'],
  settings: Partial<Pick<Practice, 'timeZone'>> = {},
) {
  const { practiceId } = await aPractice(tables);
  if (settings.timeZone !== undefined)
    await transact(database, { practice: change(database, 'practices', { practiceId }, { set: settings }) });
  const user = { userId: 'usr_vic', issuer: 'https://issuer.example', subject: 'vic', email: 'vic@lakeside.example' };
  const createdAt = '2026-11-01T09:00:00.000Z';
  await transact(database, {
    member: newMemberPart(database, { practiceId, ...user, role: 'viewer', createdAt, mailTopics }),
  });
  const tickets: Ticket[] = [];
  const mails: Mail[] = [];
  const sendMail = async (mail: Mail) => void mails.push(mail);
  return {
    practiceId,
    /** For this practice only: the same tables have this file's other practices. */
    async run(now: number, sendMails = async (sent: readonly Ticket[]) => void tickets.push(...sent)) {
      await mailSummaries({ database, clock: () => now, sendMails });
      const own = tickets.splice(0).map(({ body }) => body as MailTicket);
      for (const ticket of own.filter((each) => each.practiceId === practiceId))
        await sendMemberMail({ database, sendMail, dashboardUrl: 'https://practice.example.com' }, ticket, now);
      return mails.splice(0);
    },
    async happened(type: SessionEventType, at: string, differences: Partial<Session> = {}) {
      const created = Date.parse(at) - hour;
      const session = await storeSession(
        database,
        { practiceId, sequence: 1, createdAt: toIso(created), ...differences },
        created,
      );
      await transact(database, { event: putEvent(database, type, session, 'processing', Date.parse(at)) });
    },
  };
}

test('a summary counts and adds up what happened on the day before, in the time zone of the practice', async () => {
  const team = await aTeam();
  const succeeded = { status: 'succeeded' } as const;
  await team.happened('session.payment.succeeded', '2026-11-19T05:00:00.000Z', { ...succeeded, amountCents: 10_000 });
  await team.happened('session.payment.succeeded', '2026-11-20T04:59:59.999Z', { ...succeeded, amountCents: 2_050 });
  await team.happened('session.payment.succeeded', '2026-11-19T04:59:59.999Z', succeeded);
  await team.happened('session.payment.succeeded', '2026-11-20T05:00:00.000Z', succeeded);
  await team.happened('session.payment.failed', '2026-11-19T15:00:00.000Z', { status: 'failed', amountCents: 700 });
  await team.happened('session.payment.returned', '2026-11-19T15:00:00.000Z', { ...succeeded, amountCents: 800 });
  const refund = { amountCents: 300, pendingCents: 100, refundedAt: '2026-11-19T15:00:00.000Z' };
  await team.happened('session.payment.refunded', '2026-11-19T15:00:00.000Z', { ...succeeded, refund });
  await team.happened('session.payment.refund_failed', '2026-11-19T15:00:00.000Z', { ...succeeded, refund });
  await team.happened('session.payment.link_requested', '2026-11-19T15:00:00.000Z', { status: 'cancelled' });
  await team.happened('session.payment.processing', '2026-11-19T15:00:00.000Z', { status: 'processing' });
  await storeSession(database, { practiceId: team.practiceId, amountCents: 400 }, morning);

  const { practiceId } = team;
  expect(await team.run(morning)).toEqual([
    {
      to: 'vic@lakeside.example',
      subject: 'Payments to Lakeside Family Practice on Thursday, November 19, 2026',
      text: `Arrived: 2 ($120.50)
Failed: 1 ($7.00)
Returned by the bank: 1 ($8.00)
Refunded: 1
Refunds that failed: 1
Asked for a new link: 1 ($182.50)

Waiting to be paid now: 1 ($4.00)

See what needs attention, and every payment:
https://practice.example.com/${practiceId}

Choose what you get emails about:
https://practice.example.com/${practiceId}/team
`,
    },
  ]);
});

test('a summary is emailed once a day, at the first run of the morning that succeeds', async () => {
  const team = await aTeam();
  await team.happened('session.payment.failed', '2026-11-19T15:00:00.000Z', { status: 'failed' });
  expect(await team.run(morning - hour), 'at half past six').toEqual([]);
  const refused = team.run(morning, () => Promise.reject(new Error('ServiceUnavailable')));
  await expect(refused).rejects.toThrow('1 summaries could not be emailed');
  expect(await team.run(morning + hour)).toHaveLength(1);
  expect(await team.run(morning + 2 * hour)).toEqual([]);
  expect(await team.run(morning + 24 * hour), 'the day after, on which nothing happened').toEqual([]);
});

test('a summary comes when it is morning in the time zone of the practice', async () => {
  const team = await aTeam(['daily_summary'], { timeZone: 'America/Los_Angeles' });
  await team.happened('session.payment.failed', '2026-11-19T15:00:00.000Z', { status: 'failed' });
  expect(await team.run(morning)).toEqual([]);
  expect(await team.run(morning + 3 * hour)).toHaveLength(1);
});

test('a refund that failed is reason enough for a summary: the practice owes a patient money', async () => {
  const team = await aTeam();
  const refund = { amountCents: 0, failedCents: 300, refundedAt: '2026-11-19T15:00:00.000Z' };
  await team.happened('session.payment.refund_failed', refund.refundedAt, { status: 'succeeded', refund });
  const [mail] = await team.run(morning);
  expect(mail?.text).toMatch(/^Refunds that failed: 1\n\nWaiting/);
});

test('nothing is emailed where nobody wants it, or where the only news is links that wait to be paid', async () => {
  const unwanted = await aTeam([]);
  await unwanted.happened('session.payment.failed', '2026-11-19T15:00:00.000Z', { status: 'failed' });
  expect(await unwanted.run(morning)).toEqual([]);
  const quiet = await aTeam();
  await storeSession(database, { practiceId: quiet.practiceId }, morning);
  expect(await quiet.run(morning)).toEqual([]);
});

test('a practice whose time zone Node does not know keeps no other from its summary, and fails the run', async () => {
  const [lost, team] = [await aTeam(['daily_summary'], { timeZone: 'Nowhere/Atlantis' }), await aTeam()];
  const told: object[] = [];
  const running = team.run(morning, async (tickets) => void told.push(...tickets.map(({ body }) => body)));
  try {
    await expect(running).rejects.toThrow('1 summaries could not be emailed');
  } finally {
    const repair = change(
      database,
      'practices',
      { practiceId: lost.practiceId },
      { set: { timeZone: 'America/New_York' } },
    );
    await transact(database, { repair });
  }
  expect(told).toMatchObject([{ practiceId: team.practiceId, about: 'daily_summary' }]);
});
