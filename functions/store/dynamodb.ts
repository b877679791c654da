import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { HttpRequest } from '@smithy/core/protocols';
import { Hash } from '@smithy/core/serde';
import { NodeHttpHandler } from '@smithy/node-http-handler';
import { SignatureV4 } from '@smithy/signature-v4';
import type { AwsCredentialIdentity, Provider, SourceData } from '@smithy/types';
import * as z from 'zod/mini';
import { awsClient, timeForRequest } from '../aws-client.ts';
import { isThrottled, isTransient, isUnanswered } from '../aws-failure.ts';
import { Unavailable } from '../domain/unavailable.ts';
import { errorOf, isRefusal } from './dynamodb-error.ts';
import { outputs, type Inputs, type Operation, type Output } from './operations.ts';

/**
 * Retries as the SDK does. Throws DynamoDbError for an error response, and Unavailable if a conditional write was repeated
 * and its condition no longer holds.
 */
export type Call = <Name extends Operation>(operation: Name, input: Inputs[Name]) => Promise<Output<Name>>;

export interface DynamoDbOptions {
  /** By default, the region's. */
  readonly endpoint?: string | undefined;
  readonly region: string;
  readonly credentials: AwsCredentialIdentity | Provider<AwsCredentialIdentity>;
}

const lambdaVariables = z.object({
  AWS_REGION: z.string(),
  AWS_ACCESS_KEY_ID: z.string(),
  AWS_SECRET_ACCESS_KEY: z.string(),
  AWS_SESSION_TOKEN: z.optional(z.string()),
  AWS_ENDPOINT_URL_DYNAMODB: z.optional(z.url()),
});

/** The longest pauses before a retry, in milliseconds. Each retry doubles them. */
const [firstPause, firstPauseIfThrottled] = [100, 500];

/**
 * Speaks DynamoDB's protocol with the SDK's own signer and HTTP handler. The SDK's client takes twice the CPU time for each
 * call, and most of a cold start's.
 */
export function dynamoDb({ endpoint, region, credentials }: DynamoDbOptions, random = Math.random): Call {
  const { protocol, host, hostname, port } = new URL(endpoint ?? endpointOf(region));
  const address = { protocol, hostname, ...(port !== '' && { port: Number(port) }) };
  const signer = new SignatureV4({ credentials, region, service: 'dynamodb', sha256: Sha256, applyChecksum: false });
  const http = new NodeHttpHandler(awsClient.requestHandler);

  async function post(operation: Operation, body: string): Promise<unknown> {
    const headers = {
      host,
      'content-type': 'application/x-amz-json-1.0',
      'content-length': String(Buffer.byteLength(body)),
      'x-amz-target': `DynamoDB_20120810.${operation}`,
    };
    const request = new HttpRequest({ ...address, method: 'POST', headers, body });
    const { headers: signed } = await signer.sign(request);
    request.headers = signed;
    const { response } = await http.handle(request, { requestTimeout: timeForRequest() });
    const answer = await text(response.body);
    if (response.statusCode !== 200) throw errorOf(response.statusCode, answer);
    return JSON.parse(answer);
  }

  return async <Name extends Operation>(operation: Name, input: Inputs[Name]): Promise<Output<Name>> => {
    const body = JSON.stringify(input);
    const output = outputs[operation];
    let unanswered = false;
    for (let attempt = 1; ; attempt += 1) {
      try {
        return z.parse(output, await post(operation, body));
      } catch (error) {
        // The condition may fail because an earlier attempt of this call succeeded: that is not a refusal.
        if (unanswered && isRefusal(error))
          throw new Unavailable('a write was repeated, and its condition no longer holds', { cause: error });
        const isLast = attempt === awsClient.maxAttempts || error instanceof Unavailable;
        if (isLast || !isTransient(error)) throw error;
        unanswered ||= isUnanswered(error);
        await pause(random() * (isThrottled(error) ? firstPauseIfThrottled : firstPause) * 2 ** (attempt - 1));
      }
    }
  };
}

/** In the US, where ACH is. */
export function endpointOf(region: string): string {
  return `https://dynamodb.${region}.amazonaws.com`;
}

/** The client of a Lambda function. Reads the environment at the first call. */
export function dynamoDbOfLambda(environment: unknown = process.env): Call {
  let call: Call | undefined;
  return async (operation, input) => (call ??= dynamoDb(optionsIn(environment)))(operation, input);
}

function optionsIn(environment: unknown): DynamoDbOptions {
  const variables = z.parse(lambdaVariables, environment);
  const { AWS_SESSION_TOKEN: sessionToken } = variables;
  return {
    endpoint: variables.AWS_ENDPOINT_URL_DYNAMODB,
    region: variables.AWS_REGION,
    credentials: {
      accessKeyId: variables.AWS_ACCESS_KEY_ID,
      secretAccessKey: variables.AWS_SECRET_ACCESS_KEY,
      ...(sessionToken !== undefined && { sessionToken }),
    },
  };
}

class Sha256 extends Hash {
  constructor(secret?: SourceData) {
    super('sha256', secret);
  }
}
