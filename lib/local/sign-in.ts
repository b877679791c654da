import { userPoolClientSecret } from './account.ts';
import type { openHttpServer } from './http-server.ts';
import { createIdentityProvider } from './identity-provider.ts';
import { sendEmail, type PrintMail } from './mail.ts';
import { getSecretValue } from './secrets.ts';
import { createSubstitutes } from './substitutes.ts';
import type { readStack } from './template.ts';
import { userPoolOperations } from './user-pool.ts';
import type { Users } from './users.ts';

type HttpServer = Awaited<ReturnType<typeof openHttpServer>>;

interface Options {
  readonly stack: Pick<ReturnType<typeof readStack>, 'secrets' | 'userPools' | 'userPoolClients'>;
  /** The servers of the identity providers, by the logical ID of their user pool. */
  readonly servers: ReadonlyMap<string, HttpServer>;
  /** Serves Cognito's admin API, Secrets Manager and SES. */
  readonly substitutes: HttpServer;
  readonly users: Users;
  readonly onMail: PrintMail;
  readonly otherSecrets: Readonly<Record<string, string>>;
}

export function serveSignIn({ stack, servers, substitutes, users, onMail, otherSecrets }: Options): void {
  const { secrets, userPools, userPoolClients } = stack;
  substitutes.serve(
    createSubstitutes({
      'secretsmanager.GetSecretValue': (body) => getSecretValue(secrets, otherSecrets, body),
      'POST /v2/email/outbound-emails': (body) => sendEmail(onMail, body),
      ...userPoolOperations(userPools, users, onMail),
    }),
  );
  for (const { name: clientId, properties } of userPoolClients) {
    const server = servers.get(properties.UserPoolId);
    server?.serve(
      createIdentityProvider({
        issuer: `http://127.0.0.1:${server.port}`,
        clientId,
        clientSecret: userPoolClientSecret,
        redirectUris: properties.CallbackURLs,
        logoutUris: properties.LogoutURLs,
        users,
      }),
    );
  }
}
