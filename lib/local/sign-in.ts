import type { IncomingMessage, ServerResponse } from 'node:http';
import { text as readText } from 'node:stream/consumers';
import { userPoolClientSecret } from './account.ts';
import type { openHttpServer } from './http-server.ts';
import { createIdentityProvider } from './identity-provider.ts';
import { sendEmail, userPoolOperations, type PrintMail } from './user-pool.ts';
import { getSecretValue } from './secrets.ts';
import type { readStack } from './template.ts';
import type { Users } from './users.ts';
import { parseJson } from './json.ts';

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

/** `error` is an exception's name. */
export type AwsAnswer = { readonly error: string } | { readonly error?: never; readonly [key: string]: unknown };

type Operation = (body: unknown) => AwsAnswer;

/** Serves a few AWS operations, found by `x-amz-target` or by `METHOD /path`. */
function createSubstitutes(operations: Readonly<Record<string, Operation>>) {
  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const name = request.headers['x-amz-target']?.toString() ?? `${request.method} ${request.url}`;
    const body = parseJson(await readText(request));
    const answer = operations[name]?.(body) ?? { error: 'UnknownOperationException' };
    response.setHeader('content-type', 'application/x-amz-json-1.1');
    if (answer.error === undefined) response.end(JSON.stringify(answer));
    else
      response
        .writeHead(400, { 'x-amzn-errortype': answer.error })
        .end(JSON.stringify({ __type: answer.error, message: `The local stack refuses ${name}.` }));
  };
}
