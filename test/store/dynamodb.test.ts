import { createServer, type IncomingHttpHeaders } from 'node:http';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { withinTime } from '../../functions/aws-client.ts';
import { isTransient, isUnanswered } from '../../functions/aws-failure.ts';
import { hour, minute } from '../../functions/domain/time.ts';
import { Unavailable } from '../../functions/domain/fault.ts';
import { dynamoDb } from '../../functions/store/dynamodb.ts';
import { awsConfig } from '../support/answered-client.ts';
import { startServer } from '../support/server.ts';

interface Answer {
  readonly status: number;
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const ok: Answer = { status: 200, body: '{}' };
const key = { TableName: 'table', Key: { id: { S: 'é' } } };

/** Gives the responses in order, and then repeats the last one. */
async function answering(...answers: Answer[]) {
  const requests: { headers: IncomingHttpHeaders; body: string }[] = [];
  const server = createServer(async (request, response) => {
    const { status, body, headers } = answers[Math.min(requests.length, answers.length - 1)] ?? ok;
    requests.push({ headers: request.headers, body: await text(request) });
    response.writeHead(status, headers).end(body);
  });
  return { endpoint: `http://127.0.0.1:${await startServer(server)}`, requests };
}

const failure = (status: number, type: string) => ({
  status,
  body: JSON.stringify({ __type: `com.amazonaws.dynamodb.v20120810#${type}`, message: 'no' }),
});

/** `x-amz-date` is like `20261124T101500Z`. */
function signedAt({ 'x-amz-date': date }: IncomingHttpHeaders): number {
  return Date.parse(String(date).replace(/^(\d{4})(\d\d)(\d\dT\d\d)(\d\d)/, '$1-$2-$3:$4:'));
}

describe('a request to DynamoDB', () => {
  it('has the input as it is, and is signed for its region', async () => {
    const { endpoint, requests } = await answering(ok);
    await dynamoDb({ ...awsConfig(endpoint), region: 'us-west-2' })('GetItem', key);
    expect(requests).toMatchObject([{ headers: { 'x-amz-target': 'DynamoDB_20120810.GetItem' } }]);
    expect(JSON.parse(requests[0]?.body ?? '')).toEqual(key);
    expect(requests[0]?.headers.authorization).toMatch(/Credential=test\/\d{8}\/us-west-2\/dynamodb\/aws4_request, /);
  });

  it('is sent three times while DynamoDB throttles it', async () => {
    const { endpoint, requests } = await answering(failure(400, 'ThrottlingException'));
    const error: unknown = await dynamoDb(awsConfig(endpoint))('GetItem', key).catch((e: unknown) => e);
    expect(requests).toHaveLength(3);
    expect(error).toMatchObject({ name: 'ThrottlingException', message: 'no' });
    expect([isTransient(error), isUnanswered(error)]).toEqual([true, false]);
  });

  it('is sent again after status 429', async () => {
    const { endpoint, requests } = await answering({ status: 429, body: '{}' }, ok);
    await dynamoDb(awsConfig(endpoint))('GetItem', key);
    expect(requests).toHaveLength(2);
  });

  it('is sent again after an answer that is not from DynamoDB, and returns what it then gets', async () => {
    const item = {
      status: 200,
      body: JSON.stringify({ Item: { id: { S: '1' }, tags: { SS: ['a'] }, n: { N: '2' } } }),
    };
    const { endpoint } = await answering({ status: 502, body: '<html>Bad gateway</html>' }, item);
    expect(await dynamoDb(awsConfig(endpoint))('GetItem', key)).toEqual({
      Item: { id: '1', tags: new Set(['a']), n: 2 },
    });
  });

  it('is signed again if its signature had expired when it arrived', async () => {
    const expired = JSON.stringify({
      __type: 'com.amazon.coral.service#InvalidSignatureException',
      message: 'Signature expired: 20261124T100000Z is now earlier than 20261124T101500Z (20261124T102000Z - 5 min.)',
    });
    const { endpoint, requests } = await answering({ status: 400, body: expired }, ok);
    await dynamoDb(awsConfig(endpoint))('PutItem', { TableName: 'table', Item: {} });
    expect(requests).toHaveLength(2);
  });

  it("is signed with DynamoDB's time if the clock is an hour off", async () => {
    const date = new Date(Date.now() + hour).toUTCString();
    const wrongTime = { ...failure(400, 'RequestTimeTooSkewed'), headers: { date } };
    const { endpoint, requests } = await answering(wrongTime, ok);
    await dynamoDb(awsConfig(endpoint))('GetItem', key);
    const [first = NaN, corrected = NaN] = requests.map(({ headers }) => signedAt(headers));
    expect(corrected - first).toBeGreaterThan(hour - minute);
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
    await withinTime(2800, async () => {
      const error: unknown = await call('GetItem', key).catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(Unavailable);
      expect(requests, 'no time is left for a second attempt').toBeLessThanOrEqual(1);
      await expect(call('GetItem', key)).rejects.toThrow('the time of the invocation is used up');
    });
  });

  it('is sent once if DynamoDB refuses it for good', async () => {
    const { endpoint, requests } = await answering(failure(400, 'ValidationException'));
    await expect(dynamoDb(awsConfig(endpoint))('GetItem', key)).rejects.toMatchObject({ name: 'ValidationException' });
    expect(requests).toHaveLength(1);
  });
});
