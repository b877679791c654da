import { S3Client } from '@aws-sdk/client-s3';
import { expect, it } from 'vitest';
import { day } from '../../functions/domain/time.ts';
import { putLockedCopy } from '../../functions/messages/payments/locked-copy.ts';
import { proveWriteOnce } from '../../functions/payments/proof.ts';
import { answered, awsConfig } from '../support/answered-client.ts';
import { startTestTables } from '../support/tables.ts';

const { database } = await startTestTables();
const now = Date.now();

/** An archive whose lock either holds or does not. */
function archive({ locks }: { readonly locks: boolean }) {
  const { client, sent } = answered(new S3Client(awsConfig('http://127.0.0.1:1')), (command, input) => {
    if (command === 'PutObject') return { VersionId: 'v1' };
    if (locks && input['VersionId'] !== undefined) throw Object.assign(new Error('locked'), { name: 'AccessDenied' });
    return {};
  });
  return { sent, putLockedCopy: (at: number) => putLockedCopy(client, 'archive', at) };
}

it('reports a table that refuses nothing, and writes nothing there', async () => {
  expect(await proveWriteOnce({ database, putLockedCopy: undefined }, now)).toEqual({
    PutItem: false,
    UpdateItem: false,
    DeleteItem: false,
    'PutItem in a transaction': false,
  });
  expect((await database.call('Scan', { TableName: database.tables.authorizations })).Items).toEqual([]);
});

it.each([true, false])(
  'reports whether the archive locks a version, without the permission to bypass it: %s',
  async (locks) => {
    const { sent, ...tools } = archive({ locks });
    expect(await proveWriteOnce({ database, ...tools }, now)).toMatchObject({
      'DeleteObject of a locked version': locks,
    });
    expect(sent[0]?.input).toMatchObject({
      ObjectLockMode: 'GOVERNANCE',
      ObjectLockRetainUntilDate: new Date(now + day),
    });
    expect(sent.filter(({ input }) => 'BypassGovernanceRetention' in input)).toEqual([]);
    expect(sent.at(-1)).toMatchObject({ command: 'DeleteObject', input: { VersionId: 'v1' } });
  },
);

it('fails if it cannot tell', async () => {
  const unreachable = () => Promise.reject(new Error('no network'));
  await expect(proveWriteOnce({ database, putLockedCopy: unreachable }, now)).rejects.toThrow('no network');
});

const refusedBy = (name: string, message: string) => () => Promise.reject(Object.assign(new Error(message), { name }));

it('is proven by a policy of the table that denies every write', async () => {
  const denied = refusedBy('AccessDeniedException', 'with an explicit deny in a resource-based policy');
  expect(await proveWriteOnce({ database: { ...database, call: denied }, putLockedCopy: undefined }, now)).toEqual({
    PutItem: true,
    UpdateItem: true,
    DeleteItem: true,
    'PutItem in a transaction': true,
  });
});

it('is not proven by a caller who may write nothing, or by another error', async () => {
  const notAllowed = refusedBy('AccessDeniedException', 'no identity-based policy allows the dynamodb:PutItem action');
  const anybody = { database: { ...database, call: notAllowed }, putLockedCopy: undefined };
  await expect(proveWriteOnce(anybody, now)).rejects.toThrow('no identity-based policy');
  const putLockedCopyRefused = refusedBy('AccessDenied', 'may not put a file');
  await expect(proveWriteOnce({ database, putLockedCopy: putLockedCopyRefused }, now)).rejects.toThrow('may not put');
  const busy = async () => refusedBy('SlowDown', 'an explicit deny is not the reason');
  await expect(proveWriteOnce({ database, putLockedCopy: busy }, now)).rejects.toThrow('not the reason');
});
