import type { IncomingMessage, ServerResponse } from 'node:http';
import { text as readText } from 'node:stream/consumers';
import { randomBytes } from 'node:crypto';
import * as z from 'zod';
import { userPoolClientSecret } from './account.ts';
import type { openHttpServer } from './http-server.ts';
import { createIdentityProvider } from './identity-provider.ts';
import { sendEmail, userPoolOperations, type PrintMail, type Users } from './user-pool.ts';
import type { readStack, Resource } from './template.ts';
import { parseJson, isObject } from './json.ts';
import { flag, inert, text, wholeNumber } from './property-schema.ts';

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

const reference = /\{\{resolve:secretsmanager:(.+?):SecretString:::\}\}/g;

/** Stands in for Secrets Manager's generated secrets, by name. They change at each start. */
export function generatedSecrets(): (name: string) => string {
  const texts = new Map<string, string>();
  return (name) => {
    const text = texts.get(name) ?? randomBytes(24).toString('hex');
    texts.set(name, text);
    return text;
  };
}

/** Resolves dynamic references as CloudFormation does. */
export function withSecrets(value: unknown, textOf: (name: string) => string): unknown {
  if (typeof value === 'string') return value.replaceAll(reference, (_, name: string) => textOf(name));
  if (Array.isArray(value)) return value.map((item) => withSecrets(item, textOf));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withSecrets(inner, textOf)]));
}

export const secretProperties = z.strictObject({
  SecretString: text,
  GenerateSecretString: z.strictObject({ ExcludePunctuation: flag, PasswordLength: wholeNumber }).optional(),
  Description: inert('for readers'),
});

interface Secret extends Resource<z.output<typeof secretProperties>> {
  readonly text: string;
}

const secretRequest = z.object({ SecretId: z.string() });

/** Implements Secrets Manager's `GetSecretValue`. `others` are secrets that are not in the template. */
function getSecretValue(
  secrets: readonly Secret[],
  others: Readonly<Record<string, string>>,
  body: unknown,
): AwsAnswer {
  const { data: request } = secretRequest.safeParse(body);
  const [name, text] = Object.entries(others).find(([other]) => other === request?.SecretId) ?? [];
  if (name !== undefined) return { Name: name, SecretString: text };
  const secret = secrets.find(({ name }) => name === request?.SecretId);
  return secret ? { Name: secret.name, SecretString: secret.text } : { error: 'ResourceNotFoundException' };
}
