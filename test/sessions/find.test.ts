import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { hashOfToken, sessionToken, ulid } from '../../functions/domain/identifier.ts';
import { findByToken, findOwnSession, memberSession } from '../../functions/sessions/find.ts';
import { storeSession } from '../support/create-practice.ts';
import { problemOf } from '../support/problems.ts';
import { startTestTables } from '../support/tables.ts';

const { database } = await startTestTables();
const now = Date.parse('2026-11-20T10:00:00.000Z');
const unused = () => `ses_${ulid(now, randomBytes)}`;

async function aLink() {
  const sessionId = unused();
  const token = sessionToken(sessionId, randomBytes);
  const { practiceId } = await storeSession(database, { sessionId, tokenHash: hashOfToken(token) });
  return { sessionId, token, practiceId };
}

describe('a link', () => {
  it('finds its session', async () => {
    const { sessionId, token } = await aLink();
    expect(await findByToken({ database }, token)).toMatchObject({ sessionId });
  });

  it.each<[string, (sessionId: string, token: string) => string | undefined]>([
    ['without a token', () => undefined],
    ['with an empty token', () => ''],
    ['with a malformed token', () => 'x'],
    ['cut off at its end', (_, token) => token.slice(0, -1)],
    ['of a session that does not exist', () => sessionToken(unused(), randomBytes)],
    ['with another token of the session', (sessionId) => sessionToken(sessionId, randomBytes)],
  ])('%s finds nothing', async (_, change) => {
    const { sessionId, token } = await aLink();
    expect(await problemOf(findByToken({ database }, change(sessionId, token)))).toMatchObject({
      code: 'link_not_found',
    });
  });
});

describe('the ID of a session', () => {
  it('finds it for its practice, and for another one no more than an ID that does not exist', async () => {
    const { sessionId, practiceId } = await aLink();
    expect(await findOwnSession({ database }, { practiceId, sessionId })).toMatchObject({ sessionId });
    for (const [of, id] of [
      ['prc_other', sessionId],
      [practiceId, unused()],
      [practiceId, 'x'.repeat(5000)],
    ] as const)
      expect(await problemOf(findOwnSession({ database }, { practiceId: of, sessionId: id }))).toMatchObject({
        code: 'session_not_found',
      });
  });
});

it("a member sees the patient's name only in a role that may, and while it is known", async () => {
  const session = await storeSession(database);
  const { patient, ...erased } = session;
  for (const role of ['admin', 'staff'] as const) {
    expect(memberSession(session, role, undefined, now)).toMatchObject({ patient });
    expect(memberSession(erased, role, undefined, now)).not.toHaveProperty('patient');
  }
  expect(memberSession(session, 'viewer', undefined, now)).not.toHaveProperty('patient');
});
