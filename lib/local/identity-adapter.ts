import type { Adapter, AdapterPayload } from 'oidc-provider';

/** What the identity provider stores, in memory: a restart only asks users to sign in again. */
export function memoryAdapter(): (model: string) => Adapter {
  const rows = new Map<string, { readonly payload: AdapterPayload; readonly expiresAt: number }>();
  const prune = () => {
    for (const [key, { expiresAt }] of rows) if (expiresAt < Date.now()) rows.delete(key);
  };

  return (model) => {
    const keyOf = (id: string) => `${model}:${id}`;
    const live = (isWanted: (payload: AdapterPayload, key: string) => boolean) =>
      [...rows].find(
        ([key, { payload, expiresAt }]) =>
          key.startsWith(keyOf('')) && expiresAt >= Date.now() && isWanted(payload, key),
      )?.[1].payload;
    return {
      upsert: async (id, payload, expiresIn) => {
        prune();
        rows.set(keyOf(id), { payload, expiresAt: Date.now() + (expiresIn ?? Infinity) * 1000 });
      },
      find: async (id) => live((_payload, key) => key === keyOf(id)),
      findByUid: async (uid) => live((payload) => payload.uid === uid),
      findByUserCode: async (userCode) => live((payload) => payload.userCode === userCode),
      consume: async (id) => {
        const row = rows.get(keyOf(id));
        if (row) row.payload.consumed = Math.floor(Date.now() / 1000);
      },
      destroy: async (id) => void rows.delete(keyOf(id)),
      revokeByGrantId: async (grantId) => {
        for (const [key, { payload }] of rows) if (payload.grantId === grantId) rows.delete(key);
      },
    };
  };
}
