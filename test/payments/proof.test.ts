import { expect, it } from 'vitest';
import { sha256 } from '../../functions/domain/identifier.ts';
import { getCheckedEvidence, getProof } from '../../functions/payments/proof.ts';
import type { ReferenceFinder } from '../../functions/processors/processor.ts';
import { putEvidence } from '../../functions/store/payments/authorizations.ts';
import { transact } from '../../functions/store/transact.ts';
import { storeSession } from '../support/create-practice.ts';
import { anEvidence } from '../support/examples.ts';
import { problemOf } from '../support/problems.ts';
import { startTestTables } from '../support/tables.ts';

const { database } = await startTestTables();
const debit = { debitId: 'debit_1', submittedAt: '2026-11-20T10:00:00.000Z' };
const unasked: ReferenceFinder = { findReferences: () => expect.fail('the processor was asked') };

async function anAuthorized(more: object = {}) {
  const session = await storeSession(database, { status: 'processing', sequence: 1, ...more });
  const evidence = anEvidence(session);
  await transact(database, { evidence: putEvidence(database, evidence) });
  return { session, evidence };
}

it('a proof says whether its text is still the one that the patient accepted', async () => {
  const { session, evidence } = await anAuthorized();
  expect(await getCheckedEvidence({ database }, session)).toEqual({ ...evidence, textMatchesAuthorizationId: true });
  const other = await storeSession(database);
  const changed = { ...anEvidence(other), text: 'I authorize more', authorizationId: sha256('I authorize') };
  await transact(database, { evidence: putEvidence(database, changed) });
  expect(await getCheckedEvidence({ database }, other)).toMatchObject({ textMatchesAuthorizationId: false });
});

it('there is no proof of a debit that was never authorized', async () => {
  const session = await storeSession(database);
  expect(await problemOf(getProof({ database, processor: unasked }, session))).toMatchObject({
    code: 'authorization_not_found',
  });
});

it('a proof names what a bank finds the debit by, once there is a debit', async () => {
  const { session, evidence } = await anAuthorized();
  expect(await getProof({ database, processor: unasked }, session)).toMatchObject({ ...evidence, references: {} });
  const asked: unknown[] = [];
  const processor: ReferenceFinder = {
    async findReferences(of) {
      asked.push(of);
      return { mandate: 'mandate_1' };
    },
  };
  const proof = await getProof({ database, processor }, { ...session, debit });
  expect(proof).toMatchObject({ text: evidence.text, references: { mandate: 'mandate_1' } });
  const { processorAccount } = evidence;
  expect(asked).toEqual([{ sessionId: session.sessionId, debitId: 'debit_1', processorAccount }]);
});

it('a proof is given without the references if the processor does not answer', async () => {
  const { session, evidence } = await anAuthorized();
  const away: ReferenceFinder = { findReferences: () => Promise.reject(new Error('no answer')) };
  const proof = await getProof({ database, processor: away }, { ...session, debit });
  expect(proof).toEqual({ ...evidence, textMatchesAuthorizationId: true, references: {} });
});
