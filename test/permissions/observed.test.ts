import { describe, expect, inject, it } from 'vitest';
import { modes } from '../../functions/domain/mode.ts';
import { liveAssembly, sandboxAssembly } from '../support/built.ts';
import { callableBy } from './callable.ts';
import { grantsOf } from './grants.ts';
import { observations } from './requests.ts';

/** Requests that no test on a stack can make a function send, with the reason. */
const exceptions: Readonly<Record<string, string>> = {
  'practice-api/sandbox/advance-session: PutItem on invoiceClaims':
    'takes back the claim of a session whose full refund failed; no refund of the sandbox fails',
};

const { requests, grants } = observations();
const callable = new Map<string, string[]>();
for (const mode of modes)
  for (const [file, { requests: own }] of await callableBy(mode))
    for (const action of own) callable.set(`${file}: ${action}`, [...(callable.get(`${file}: ${action}`) ?? []), mode]);
const ofDatabase = requests.filter(({ action, refused }) => !action.includes(':') && !refused);
const made = new Set(ofDatabase.map(({ file, action }) => `${file}: ${action}`));

describe('on the stacks of the tests that ran before', () => {
  it('no function was refused a request', () => {
    const refused = requests.filter((each) => each.refused);
    expect(
      refused.map(({ mode, file, action }) => `${file} called ${action}, which its ${mode} role does not allow`),
    ).toEqual([]);
  });

  it('every request was one that was found in the code', () => {
    expect([...made].filter((request) => !callable.has(request))).toEqual([]);
  });

  it.runIf(inject('everything'))(
    'every function made every request that its code holds (only if all files run)',
    () => {
      const never = [...callable.keys()].filter((request) => !made.has(request) && exceptions[request] === undefined);
      expect(
        never.map(
          (request) =>
            `no stack test makes ${request}: write one, or say in test/permissions/observed.test.ts why none can`,
        ),
      ).toEqual([]);
    },
  );

  it.runIf(inject('everything'))('every grant beyond DynamoDB was used (only if all files run)', async () => {
    const used = new Set(grants.map(({ file, grant }) => `${file}: ${grant}`));
    const unused: string[] = [];
    for (const { template } of [await sandboxAssembly(), await liveAssembly()])
      for (const { files, grants: granted } of grantsOf(template))
        for (const grant of granted)
          if (!files.some((file) => used.has(`${file}: ${grant}`)))
            unused.push(`no stack test made ${files.join(' or ')} use ${grant}: write one, or remove the grant`);
    expect(unused).toEqual([]);
  });

  it('no exception was made after all, or is no request at all', () => {
    const stale = Object.keys(exceptions).filter((request) => made.has(request) || !callable.has(request));
    expect(stale.map((request) => `remove the exception ${request}`)).toEqual([]);
  });
});
