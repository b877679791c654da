import { createIdentityProvider } from '../../lib/local/identity-provider.ts';
import { openHttpServer } from '../../lib/local/http-server.ts';
import { createHash } from 'node:crypto';
import { openUsers, type LocalUser } from '../../lib/local/users.ts';

interface TestIdentityProvider {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  stop(): Promise<void>;
}

interface Options {
  readonly users: readonly Pick<LocalUser, 'email' | 'password'>[];
  readonly redirectUris: readonly string[];
  readonly port?: number;
}

/** Starts an issuer with the given users, whose subjects are the same at every start. */
export async function startIdentityProvider({ users, redirectUris, port = 0 }: Options): Promise<TestIdentityProvider> {
  const server = await openHttpServer(port, (line) => console.error(line));
  const client = { clientId: 'test-client', clientSecret: 'test-client-secret' };
  const issuer = `http://127.0.0.1:${server.port}`;
  const subjectOf = (email: string) => createHash('sha256').update(email).digest('hex');
  const kept = users.map((user) => ({ ...user, subject: subjectOf(user.email) }));
  server.serve(
    createIdentityProvider({
      issuer,
      ...client,
      redirectUris,
      logoutUris: [],
      users: openUsers({ users: () => kept, saveUser: () => undefined, deleteUser: () => undefined }),
    }),
  );
  return { issuer, ...client, stop: () => server.stop() };
}
