import { createSocket, type Socket } from 'node:dgram';
import { Resolver } from 'node:dns/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { minute, second } from '../../functions/domain/time.ts';
import { exchange, postWebhook } from '../../functions/webhooks/post.ts';
import { fakeTimeouts } from '../support/virtual-time.ts';

/** If the value is `undefined`, the name's server never answers. */
const names = new Map<string, readonly string[] | undefined>([
  ['hooks.example', ['127.0.0.1']],
  ['silent.example', undefined],
  ['mixed.example', ['203.0.113.7', '127.0.0.1', '10.0.0.8']],
  ['empty.example', []],
]);
/** Response codes of RFC 1035, 4.1.1. */
const failures = new Map<string, number>();
const asked: [name: string, type: number][] = [];

const nameServer: Socket = createSocket('udp4', (query, from) => {
  const labels: string[] = [];
  let end = 12;
  for (let length = query[end]; length; length = query[end]) {
    labels.push(query.subarray(end + 1, end + 1 + length).toString());
    end += length + 1;
  }
  const name = labels.join('.').toLowerCase();
  asked.push([name, query.readUInt16BE(end + 1)]);
  if (names.has(name) && names.get(name) === undefined) return;
  const addresses = names.get(name) ?? [];
  const header = Buffer.from(query.subarray(0, 12));
  header.writeUInt16BE(0x8180 + (failures.get(name) ?? (names.has(name) ? 0 : 3)), 2);
  header.writeUInt16BE(addresses.length, 6);
  header.writeUInt32BE(0, 8);
  // A pointer to the name, type A, class IN, TTL 0, four bytes.
  const answers = addresses.map((address) =>
    Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4, ...address.split('.').map(Number)]),
  );
  nameServer.send(Buffer.concat([header, query.subarray(12, end + 5), ...answers]), from.port, from.address);
});

let resolver: Resolver;
let port: number;
let requests = 0;
const receiver = createServer((_, response) => {
  requests += 1;
  response.end();
});
beforeAll(async () => {
  await new Promise<void>((resolve) => nameServer.bind(0, '127.0.0.1', resolve));
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  ({ port } = receiver.address() as AddressInfo);
});
afterAll(() => {
  nameServer.close();
  receiver.close();
});
beforeEach(() => {
  // Queries once, and waits longer than any test. Each test has its own: after three answers, it waits for one second.
  resolver = new Resolver({ timeout: 10 * minute, tries: 1 });
  resolver.setServers([`127.0.0.1:${nameServer.address().port}`]);
  asked.length = 0;
  requests = 0;
});

const post = (url: string) => ({ url, body: '{}', headers: {} });
/** This skips the URL check but not the address check. */
const postTo = (name: string, allowLoopback = true) =>
  exchange(post(`http://${name}:${port}/`), allowLoopback, new AbortController().signal, { resolver });

describe('the host name of a receiver', () => {
  it('is looked up once per attempt, for A records only', async () => {
    expect(await postTo('hooks.example')).toMatchObject({ statusCode: 200 });
    expect(asked).toEqual([['hooks.example', 1]]);
    expect(await postTo('hooks.example')).toMatchObject({ statusCode: 200 });
    expect(asked).toEqual([
      ['hooks.example', 1],
      ['hooks.example', 1],
    ]);
    expect(requests).toBe(2);
  });

  // The system's lookup has four threads, and four dead servers delayed all names.
  it('does not delay other names if its name server never answers', async () => {
    const { until } = fakeTimeouts();
    let ended = 0;
    const dead = Array.from({ length: 5 }, () =>
      postWebhook(post('https://silent.example/'), false, { resolver }).finally(() => void (ended += 1)),
    );
    await until(() => asked.length === 5);
    expect(await postTo('hooks.example')).toMatchObject({ statusCode: 200 });
    expect(ended, 'the others still wait').toBe(0);
    resolver.cancel();
    const results = await Promise.all(dead);
    for (const result of results) expect(result).toEqual({ error: 'dns_failure', responseTruncated: false });
  });

  it.each([
    [2, 'server failure'],
    [4, 'not implemented'],
    [5, 'refused'],
  ])('whose name server answers with code %i (%s) is not called missing', async (code) => {
    failures.set('broken.example', code);
    expect(await postWebhook(post('https://broken.example/'), false, { resolver })).toEqual({
      error: 'dns_failure',
      responseTruncated: false,
    });
  });

  it('whose name server is not there is not called missing, nor refusing', async () => {
    const alone = new Resolver({ timeout: 10 * minute, tries: 1 });
    alone.setServers(['127.0.0.1:1']);
    expect(await postWebhook(post('https://hooks.example/'), false, { resolver: alone })).toEqual({
      error: 'dns_failure',
      responseTruncated: false,
    });
  });

  it('is to blame if it is still looked up after five seconds', async () => {
    const { advance, until } = fakeTimeouts();
    const posted = postWebhook(post('https://silent.example/'), false, { resolver });
    await until(() => asked.length === 1);
    advance(5 * second);
    expect(await posted).toEqual({ error: 'dns_failure', responseTruncated: false });
    resolver.cancel();
  });

  it('is blocked with all its addresses if one of them is private', async () => {
    expect(await postWebhook(post('https://mixed.example/'), false, { resolver })).toEqual({
      error: 'blocked_address',
      responseTruncated: false,
    });
    expect(asked).toEqual([['mixed.example', 1]]);
    await expect(postTo('mixed.example')).rejects.toThrow('blocked address');
    expect(requests).toBe(0);
  });

  it('is blocked if it resolves to a loopback address and the stage forbids that', async () => {
    expect(await postWebhook(post('https://hooks.example/'), false, { resolver })).toEqual({
      error: 'blocked_address',
      responseTruncated: false,
    });
    await expect(postTo('hooks.example', false)).rejects.toThrow('blocked address');
    expect(requests).toBe(0);
  });

  it.each(['empty.example', 'nowhere.example'])('without an A record is not found: %s', async (name) => {
    expect(await postWebhook(post(`https://${name}/`), false, { resolver })).toEqual({
      error: 'host_not_found',
      responseTruncated: false,
    });
    expect(asked).toEqual([[name, 1]]);
  });
});
