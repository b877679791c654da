import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { HttpRequest } from '@smithy/core/protocols';
import { Hash } from '@smithy/core/serde';
import { NodeHttpHandler } from '@smithy/node-http-handler';
import { SignatureV4 } from '@smithy/signature-v4';
import type { AwsCredentialIdentity, Provider, SourceData } from '@smithy/types';
import * as z from 'zod/mini';
import { awsClient, timeForRequest } from './aws-client.ts';
import { isThrottled, isTransient } from './aws-failure.ts';
import { Unavailable } from './domain/fault.ts';

type Service = 'dynamodb' | 's3';

export interface AwsAccess {
  readonly region: string;
  readonly credentials: AwsCredentialIdentity | Provider<AwsCredentialIdentity>;
  /** In place of the region's. */
  readonly endpoint?: string | undefined;
}

interface Request {
  readonly method: 'POST' | 'PUT';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
}

interface Answer {
  readonly status: number;
  readonly body: string;
}

/** Signs and sends a request once, with the SDK's own signer and HTTP handler, within the time of the invocation. */
export function awsRequester(
  service: Service,
  endpoint: string,
  { region, credentials }: AwsAccess,
): (request: Request) => Promise<Answer> {
  const { protocol, host, hostname, port } = new URL(endpoint);
  const address = { protocol, hostname, ...(port !== '' && { port: Number(port) }) };
  const isS3 = service === 's3';
  const signer = new SignatureV4({
    credentials,
    region,
    service,
    sha256: Sha256,
    applyChecksum: isS3,
    uriEscapePath: !isS3,
  });
  const http = new NodeHttpHandler(awsClient.requestHandler);
  return async ({ headers, ...rest }) => {
    const request = new HttpRequest({ ...address, ...rest, headers: { ...headers, host } });
    request.headers = (await signer.sign(request)).headers;
    const { response } = await http.handle(request, { requestTimeout: timeForRequest() });
    return { status: response.statusCode, body: await text(response.body) };
  };
}

const present = z.string().check(z.minLength(1));
const lambdaVariables = z.object({
  AWS_REGION: present,
  AWS_ACCESS_KEY_ID: present,
  AWS_SECRET_ACCESS_KEY: present,
  AWS_SESSION_TOKEN: z.optional(z.string()),
});

/** The region and the role of a Lambda function. */
export function accessOfLambda(service: Service, environment = process.env): AwsAccess {
  const variables = z.parse(lambdaVariables, environment);
  const { AWS_SESSION_TOKEN: sessionToken } = variables;
  return {
    region: variables.AWS_REGION,
    credentials: {
      accessKeyId: variables.AWS_ACCESS_KEY_ID,
      secretAccessKey: variables.AWS_SECRET_ACCESS_KEY,
      ...(sessionToken !== undefined && { sessionToken }),
    },
    endpoint: endpointIn(environment, service),
  };
}

/** From the variables that the SDK reads. An empty one counts as unset. */
export function endpointIn(environment: NodeJS.ProcessEnv, service: Service): string | undefined {
  const ofService = environment[`AWS_ENDPOINT_URL_${service.toUpperCase()}`];
  return [ofService, environment['AWS_ENDPOINT_URL']].find((given) => given !== undefined && given !== '');
}

/** The longest pauses before a retry, in milliseconds. Each retry doubles them. */
const [firstPause, firstPauseIfThrottled] = [100, 500];

/** Makes up to three attempts, as the SDK does, while AWS throttles or does not answer. */
export async function retrying<Result>(
  attempt: () => Promise<Result>,
  random: () => number = Math.random,
): Promise<Result> {
  for (let attempts = 1; ; attempts += 1) {
    try {
      return await attempt();
    } catch (error) {
      const isLast = attempts === awsClient.maxAttempts || error instanceof Unavailable;
      if (isLast || !isTransient(error)) throw error;
      await pause(random() * (isThrottled(error) ? firstPauseIfThrottled : firstPause) * 2 ** (attempts - 1));
    }
  }
}

class Sha256 extends Hash {
  constructor(secret?: SourceData) {
    super('sha256', secret);
  }
}
