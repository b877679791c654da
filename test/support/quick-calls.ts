import * as dynamodb from '@aws-sdk/client-dynamodb';
import { Agent, request as httpRequest } from 'node:http';
import { buffer } from 'node:stream/consumers';
import * as z from 'zod';
import { outputs, type Call } from '../../functions/store/dynamodb.ts';

const failure = z.looseObject({ __type: z.string(), message: z.string().optional() });

/** Dynoxide checks only the form of a signature. */
export const signature = {
  authorization:
    'AWS4-HMAC-SHA256 Credential=test/20261120/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=none',
  'x-amz-date': '20261120T000000Z',
};

/**
 * Calls a local database without the AWS SDK, which takes most of a call's CPU time. The product's own calls have tests in
 * `store/dynamodb.test.ts`, and on every stack.
 */
export function quickCalls(endpoint: string): Call {
  const agent = new Agent({ keepAlive: true });
  const send = (operation: string, body: string) =>
    new Promise<{ status: number | undefined; text: string }>((resolve, reject) => {
      const headers = {
        ...signature,
        'content-type': 'application/x-amz-json-1.0',
        'x-amz-target': `DynamoDB_20120810.${operation}`,
        'content-length': Buffer.byteLength(body),
      };
      httpRequest(endpoint, { method: 'POST', headers, agent }, (response) => {
        buffer(response).then((bytes) => resolve({ status: response.statusCode, text: bytes.toString() }), reject);
      })
        .on('error', reject)
        .end(body);
    });
  return async (operation, input) => {
    const { status, text } = await send(operation, JSON.stringify(input));
    const answer: unknown = JSON.parse(text);
    if (status === 200) return z.parse(outputs[operation], answer);
    throw errorOf(failure.parse(answer));
  };
}

function errorOf({ __type: type, message = '', ...more }: z.infer<typeof failure>): Error {
  const name = type.split('#')[1] ?? type;
  const options = { ...more, name, message, $fault: 'client', $metadata: {} } as const;
  if (name === 'ConditionalCheckFailedException') return new dynamodb.ConditionalCheckFailedException(options);
  if (name === 'TransactionCanceledException') return new dynamodb.TransactionCanceledException(options);
  return new dynamodb.DynamoDBServiceException(options);
}
