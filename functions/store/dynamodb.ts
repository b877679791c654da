import * as z from 'zod/mini';
import { isUnanswered } from '../aws-failure.ts';
import { accessOfLambda, awsRequester, retrying, type AwsAccess } from '../aws-request.ts';
import { Unavailable } from '../domain/fault.ts';
import { errorOf, isRefusal } from './dynamodb-error.ts';
import { outputs, type Inputs, type Operation, type Output } from './operations.ts';

/**
 * Retries as the SDK does. Throws DynamoDbError for an error response, and Unavailable if a conditional write was repeated
 * and its condition no longer holds.
 */
export type Call = <Name extends Operation>(operation: Name, input: Inputs[Name]) => Promise<Output<Name>>;

/** Speaks DynamoDB's protocol. The SDK's client takes twice the CPU time for each call, and most of a cold start's. */
export function dynamoDb(access: AwsAccess, random = Math.random): Call {
  const request = awsRequester('dynamodb', access.endpoint ?? endpointOf(access.region), access);

  async function post(operation: Operation, content: string): Promise<unknown> {
    const headers = {
      'content-type': 'application/x-amz-json-1.0',
      'x-amz-target': `DynamoDB_20120810.${operation}`,
    };
    const { status, body } = await request({ method: 'POST', path: '/', headers, body: content });
    if (status !== 200) throw errorOf(status, body);
    return JSON.parse(body);
  }

  return async <Name extends Operation>(operation: Name, input: Inputs[Name]): Promise<Output<Name>> => {
    const content = JSON.stringify(input);
    const output = outputs[operation];
    let unanswered = false;
    return retrying(async () => {
      try {
        return z.parse(output, await post(operation, content));
      } catch (error) {
        // The condition may fail because an earlier attempt of this call succeeded: that is not a refusal.
        if (unanswered && isRefusal(error))
          throw new Unavailable('a write was repeated, and its condition no longer holds', { cause: error });
        unanswered ||= isUnanswered(error);
        throw error;
      }
    }, random);
  };
}

/** Of every region outside China and the isolated partitions. */
export function endpointOf(region: string): string {
  return `https://dynamodb.${region}.amazonaws.com`;
}

/** The client of a Lambda function. Reads the environment at the first call. */
export function dynamoDbOfLambda(environment?: NodeJS.ProcessEnv): Call {
  let call: Call | undefined;
  return async (operation, input) => (call ??= dynamoDb(accessOfLambda('dynamodb', environment)))(operation, input);
}
