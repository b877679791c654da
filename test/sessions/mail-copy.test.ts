import { describe, expect, it } from 'vitest';
import type { Mail } from '../../functions/messages/team/mail.ts';
import { mailCopy } from '../../functions/sessions/mail-copy.ts';
import type { Session } from '../../functions/domain/sessions/session.ts';
import { putEvidence } from '../../functions/store/payments/authorizations.ts';
import { getExistingSession } from '../../functions/store/sessions/sessions.ts';
import { transact } from '../../functions/store/transact.ts';
import { anEvidence, anOffer, aPractice } from '../support/examples.ts';
import { Problem } from '../../functions/contract/problem.ts';
import { storeSession } from '../support/create-practice.ts';
import { startTestTables } from '../support/tables.ts';

const { database } = await startTestTables();
const now = Date.parse('2026-11-20T10:10:00.000Z');
const email = 'rosa@example.com';

async function authorized(differences: Partial<Session> = {}) {
  const session = await storeSession(database, {
    status: 'processing',
    processingAt: '2026-11-20T10:05:00.000Z',
    ...differences,
  });
  const evidence = { ...anEvidence(session), locale: 'es', text: anOffer('es').text } as const;
  await transact(database, { evidence: putEvidence(database, evidence) });
  return session;
}

function mailer(fails = false) {
  const mails: Mail[] = [];
  const sendMail = async (mail: Mail) => {
    mails.push(mail);
    if (fails) throw new Error(`the address ${mail.to} was refused`);
  };
  const ask = async (session: Session): Promise<Problem | undefined> => {
    try {
      await mailCopy({ database, sendMail }, { session, practice: aPractice(), email }, now);
      return undefined;
    } catch (error) {
      if (error instanceof Problem) return error;
      throw error;
    }
  };
  return { mails, ask };
}

describe('a copy of the authorization', () => {
  it('has the accepted text in its language, the reference number and the practice, and no link', async () => {
    const session = await authorized();
    const { mails, ask } = mailer();
    expect(await ask(session)).toBeUndefined();
    expect(mails).toEqual([
      {
        to: email,
        subject: 'Copia de su autorización de pago para Lakeside Family Practice',
        text: expect.stringContaining(anOffer('es').text) as string,
      },
    ]);
    expect(mails[0]?.text).toContain(session.sessionId.slice(-10));
    expect(mails[0]?.text).toContain('Autorizado: 20 de noviembre de 2026 a las 5:05:00');
    expect(mails[0]?.text).toMatch(/Lakeside Family Practice, \+1 555 010 0100\n$/);
    expect(mails[0]?.text).not.toContain('http');
  });

  it('is emailed once for ten requests at the same time', async () => {
    const session = await authorized();
    const { mails, ask } = mailer();
    const problems = await Promise.all(Array.from({ length: 10 }, () => ask(session)));
    expect(mails).toHaveLength(1);
    expect(problems.filter((problem) => problem?.code === 'copy_already_mailed')).toHaveLength(9);
    const row = await getExistingSession(database, session.sessionId);
    expect(row.copyRequestedAt).toBe('2026-11-20T10:10:00.000Z');
    expect(JSON.stringify(row)).not.toContain(email);
  });

  it('that could not be emailed is not tried again, because it may have arrived', async () => {
    const session = await authorized();
    const { mails, ask } = mailer(true);
    const problem = await ask(session);
    expect(problem).toMatchObject({ code: 'copy_not_mailed' });
    expect(problem?.message).not.toContain(email);
    expect(await ask(session)).toMatchObject({ code: 'copy_already_mailed' });
    expect(mails).toHaveLength(1);
  });

  it.each([
    ['nothing was authorized', { status: 'pending', processingAt: undefined }],
    ['the patient was erased', { status: 'succeeded', scrubbedAt: '2026-11-20T10:06:00.000Z' }],
  ] as const)('is not mailed if %s', async (_, state) => {
    const { mails, ask } = mailer();
    expect(await ask(await authorized(state as Partial<Session>))).toMatchObject({ code: 'authorization_not_found' });
    expect(mails).toEqual([]);
  });
});
