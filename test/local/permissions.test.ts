import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { requestName } from '../../lib/local/permissions/access-requests.ts';
import { receive, runTestStack, stopTestStack, type RunningTestStack } from './test-stack.ts';

let stack: RunningTestStack;
const refused: string[] = [];
beforeAll(async () => {
  stack = await runTestStack(
    ({ stack: parent, fn }) => {
      const sender = fn(
        'Sender',
        `const { AWS_ACCESS_KEY_ID: caller, MINE, OTHER } = process.env;
        const send = async (queue) => {
          const answer = await fetch(new URL(queue).origin, {
            method: 'POST',
            headers: {
              authorization: 'AWS4-HMAC-SHA256 Credential=' + caller + '/20261120/us-east-1/sqs/aws4_request',
              'content-type': 'application/x-amz-json-1.0',
              'x-amz-target': 'AmazonSQS.SendMessage',
            },
            body: JSON.stringify({ QueueUrl: queue, MessageBody: 'hello' }),
          });
          return answer.status + ' ' + (await answer.text());
        };
        return { mine: await send(MINE), other: await send(OTHER) };`,
        { role: new Role(parent, 'SenderRole', { assumedBy: new ServicePrincipal('lambda.amazonaws.com') }) },
      );
      const mine = new Queue(parent, 'Mine');
      const other = new Queue(parent, 'Other');
      mine.grantSendMessages(sender);
      sender.addEnvironment('MINE', mine.queueUrl);
      sender.addEnvironment('OTHER', other.queueUrl);
    },
    { permissions: { onDecision: (decision) => void refused.push(...decision.refused.map(requestName)) } },
  );
});
afterAll(() => stopTestStack(stack));

it('with permissions, a function may only do what its role allows', async () => {
  const { ok, payload } = Object(await stack.functionOf('Sender').invoke({}));
  expect(ok).toBe(true);
  expect(payload).toEqual({
    mine: expect.stringMatching(/^200 /),
    other: expect.stringMatching(/^400 .*AccessDeniedException/),
  });
  expect((await receive(stack, 'Mine')).map(({ Body }) => Body)).toEqual(['hello']);
  expect(refused).toEqual([expect.stringMatching(/^sqs:SendMessage on Other/)]);
});
