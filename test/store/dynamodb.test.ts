import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { describe, expect, it } from 'vitest';
import { withinTime } from '../../functions/aws-client.ts';
import { isTransient, isUnanswered } from '../../functions/aws-failure.ts';
import { endpointIn } from '../../functions/aws-request.ts';
import { Unavailable } from '../../functions/domain/fault.ts';
import { dynamoDb, dynamoDbOfLambda, endpointOf } from '../../functions/store/dynamodb.ts';
import { awsConfig, signatureOf, type SignedRequest } from '../support/aws.ts';
import { startServer } from '../support/server.ts';

const ok = { status: 200, body: '{}' };
const key = { TableName: 'table', Key: { id: { S: 'é' } } };

/** Gives the answers in order, and the last one for good. */
async function answering(...answers: { status: number; body: string }[]) {
  const requests: SignedRequest[] = [];
  const server = createServer(async (request, response) => {
    const { method, url, headers } = request;
    const { status, body } = answers[Math.min(requests.length, answers.length - 1)] ?? ok;
    requests.push({ method, url, headers, body: await text(request) });
    response.writeHead(status).end(body);
  });
  return { endpoint: `http://127.0.0.1:${await startServer(server)}`, requests };
}

const failure = (status: number, type: string) => ({
  status,
  body: JSON.stringify({ __type: `com.amazonaws.dynamodb.v20120810#${type}`, message: 'no' }),
});

describe('a request to DynamoDB', () => {
  it("is signed with the function's role, for its region", async () => {
    const { endpoint, requests } = await answering(ok);
    const call = dynamoDbOfLambda({
      AWS_REGION: 'us-west-2',
      AWS_ACCESS_KEY_ID: 'AKIDEXAMPLE',
      AWS_SECRET_ACCESS_KEY: 'the secret',
      AWS_SESSION_TOKEN: 'the session',
      AWS_ENDPOINT_URL_DYNAMODB: endpoint,
    });
    await call('GetItem', key);
    const [request] = requests;
    if (!request) throw new Error('nothing was sent');
    expect(request.headers).toMatchObject({
      host: endpoint.slice('http://'.length),
      'x-amz-target': 'DynamoDB_20120810.GetItem',
      'content-type': 'application/x-amz-json-1.0',
      'x-amz-security-token': 'the session',
    });
    expect(JSON.parse(request.body)).toEqual(key);
    const { authorization = '' } = request.headers;
    expect(authorization).toMatch(/Credential=AKIDEXAMPLE\/\d{8}\/us-west-2\/dynamodb\/aws4_request, /);
    for (const name of ['host', 'x-amz-date', 'x-amz-target', 'x-amz-security-token'])
      expect(/SignedHeaders=([^,]+)/.exec(authorization)?.[1]?.split(';')).toContain(name);
    expect(authorization.split('Signature=')[1]).toBe(signatureOf(request, 'the secret'));
  });

  it('goes to the address that the SDK would use', () => {
    for (const region of ['us-east-1', 'us-east-2', 'us-west-2', 'us-gov-west-1']) {
      const { config } = new DynamoDBClient({ region });
      expect(`${endpointOf(region)}/`).toBe(config.endpointProvider({ Region: region }).url.href);
    }
  });

  it('without credentials in the environment fails, and names the variable', async () => {
    await expect(dynamoDbOfLambda({ AWS_REGION: 'us-east-1' })('GetItem', key)).rejects.toThrow(/AWS_ACCESS_KEY_ID/);
  });

  it('is sent three times while DynamoDB throttles it, with growing pauses', async () => {
    const { endpoint, requests } = await answering(failure(400, 'ThrottlingException'));
    const startedAt = performance.now();
    const error: unknown = await dynamoDb(awsConfig(endpoint), () => 0.2)('GetItem', key).catch((e: unknown) => e);
    expect(requests).toHaveLength(3);
    expect(performance.now() - startedAt).toBeGreaterThan(0.2 * (500 + 1000) - 5);
    expect(error).toMatchObject({ name: 'ThrottlingException', message: 'no' });
    expect([isTransient(error), isUnanswered(error)]).toEqual([true, false]);
  });

  it('is sent again after an answer that is not from DynamoDB, and returns what it then gets', async () => {
    const item = {
      status: 200,
      body: JSON.stringify({ Item: { id: { S: '1' }, tags: { SS: ['a'] }, n: { N: '2' } } }),
    };
    const { endpoint } = await answering({ status: 502, body: '<html>Bad gateway</html>' }, item);
    expect(await dynamoDb(awsConfig(endpoint), () => 0)('GetItem', key)).toEqual({
      Item: { id: '1', tags: new Set(['a']), n: 2 },
    });
  });

  it('is signed anew if its signature had expired when it arrived', async () => {
    const expired = JSON.stringify({
      __type: 'com.amazon.coral.service#InvalidSignatureException',
      message: 'Signature expired: 20261124T100000Z is now earlier than 20261124T101500Z (20261124T102000Z - 5 min.)',
    });
    const { endpoint, requests } = await answering({ status: 400, body: expired }, ok);
    await dynamoDb(awsConfig(endpoint), () => 0)('PutItem', { TableName: 'table', Item: {} });
    expect(requests).toHaveLength(2);
  });

  it('keeps the kind of an error that says nothing else', async () => {
    const body = JSON.stringify({
      __type: 'com.amazonaws.dynamodb.v20120810#ConditionalCheckFailedException',
      message: null,
    });
    const { endpoint } = await answering({ status: 400, body });
    const call = dynamoDb(awsConfig(endpoint))('PutItem', { TableName: 'table', Item: {} });
    await expect(call).rejects.toMatchObject({ name: 'ConditionalCheckFailedException' });
  });

  it('ends with the time of its invocation, and no other one starts', async () => {
    let requests = 0;
    const silent = createServer(() => void (requests += 1));
    const call = dynamoDb(awsConfig(`http://127.0.0.1:${await startServer(silent)}`));
    await withinTime(1800, async () => {
      const error: unknown = await call('GetItem', key).catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(Unavailable);
      expect(requests, 'no time is left for a second attempt').toBeLessThanOrEqual(1);
      await expect(call('GetItem', key)).rejects.toThrow('the time of the invocation is used up');
    });
  });

  it('goes to the endpoint in the environment, as with the SDK', () => {
    const [ofService, ofAll] = ['http://127.0.0.1:1', 'http://127.0.0.1:2'];
    expect(endpointIn({ AWS_ENDPOINT_URL_DYNAMODB: ofService, AWS_ENDPOINT_URL: ofAll }, 'dynamodb')).toBe(ofService);
    expect(endpointIn({ AWS_ENDPOINT_URL_DYNAMODB: '', AWS_ENDPOINT_URL: ofAll }, 'dynamodb')).toBe(ofAll);
    expect(endpointIn({ AWS_ENDPOINT_URL_DYNAMODB: ofService }, 's3')).toBeUndefined();
  });

  it('is sent once if DynamoDB refuses it for good', async () => {
    const { endpoint, requests } = await answering(failure(400, 'ValidationException'));
    await expect(dynamoDb(awsConfig(endpoint))('GetItem', key)).rejects.toMatchObject({ name: 'ValidationException' });
    expect(requests).toHaveLength(1);
  });
});
