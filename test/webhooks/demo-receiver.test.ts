import { createServer, request, type OutgoingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { testEventBody } from '../../functions/domain/webhooks/event.ts';
import { signatureHeaders } from '../../functions/domain/webhooks/webhook-signature.ts';
import { startDemoReceiver, type DemoReceiver } from '../../bin/local/demo-practice.ts';

const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const otherSecret = `whsec_${Buffer.alloc(32, 8).toString('base64')}`;
const body = testEventBody(
  { eventId: 'evt_1', practiceId: 'prc_example', livemode: false },
  '2026-11-20T10:00:00.000Z',
);
const verified: string[] = [];
let refusals = 0;
beforeEach(() => {
  verified.length = 0;
  refusals = 0;
});

let receiver: DemoReceiver;
beforeAll(async () => {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve));
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  receiver = await startDemoReceiver(
    port,
    async () => secret,
    ({ id }) => void verified.push(id),
    () => void (refusals += 1),
  );
});
afterAll(() => receiver.stop());

const signed = (secrets = [secret]) =>
  signatureHeaders({ eventId: 'evt_1', timestamp: Math.floor(Date.now() / 1000), body, secrets });

function send(headers: OutgoingHttpHeaders, sent: string | Buffer = body): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const made = request(receiver.url, { method: 'POST', agent: false, headers }, (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    made.on('error', reject).end(sent);
  });
}

// https://github.com/NousResearch/hermes-agent/pull/65307: a non-ASCII signature crashed the receiver.
it('the demo receiver rejects every webhook without a valid signature', async () => {
  const { 'webhook-signature': signature = '', ...others } = signed();
  const refused: [string, OutgoingHttpHeaders, (string | Buffer)?][] = [
    ['nothing', {}],
    ['no signature', others],
    ['an empty signature', { ...others, 'webhook-signature': '' }],
    ['a signature that is not ASCII', { ...others, 'webhook-signature': 'v1,\u00e9\u00ff' }],
    ['a signature of another length', { ...others, 'webhook-signature': 'v1,AA==' }],
    ['a signature of a later version', { ...others, 'webhook-signature': signature.replace('v1,', 'v2,') }],
    ['a signature with another secret', signed([otherSecret])],
    ['a timestamp that is not a number', { ...others, 'webhook-signature': signature, 'webhook-timestamp': 'soon' }],
    [
      'an old timestamp',
      signatureHeaders({ eventId: 'evt_1', timestamp: Math.floor(Date.now() / 1000) - 301, body, secrets: [secret] }),
    ],
    ['another id', { ...others, 'webhook-signature': signature, 'webhook-id': 'evt_2' }],
    ['another body', { ...others, 'webhook-signature': signature }, `${body} `],
    ['a body that is not text', { ...others, 'webhook-signature': signature }, Buffer.from([0xff, 0xfe, 0])],
  ];
  for (const [what, headers, sent] of refused) expect(await send(headers, sent), what).toBe(400);
  expect(verified).toEqual([]);
  expect(refusals).toBe(refused.length);
  expect(await send(signed())).toBe(204);
  expect(verified).toEqual(['evt_1']);
});

// https://github.com/svix/svix-webhooks/issues/55: only one of several signatures is valid.
it('the demo receiver accepts one valid signature among several, in any place', async () => {
  expect(await send(signed([otherSecret, secret]))).toBe(204);
  const { 'webhook-signature': signature = '', ...others } = signed();
  for (const several of [
    `v2,AA== ${signature}`,
    `v1a,AA== v1,AA== ${signature}`,
    `${signature} v1,`,
    `v1, ${signature}`,
  ]) {
    expect(await send({ ...others, 'webhook-signature': several }), several).toBe(204);
  }
  expect(verified).toHaveLength(5);
});
