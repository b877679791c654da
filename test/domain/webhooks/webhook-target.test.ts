import { describe, expect, it } from 'vitest';
import {
  isAllowedAddress,
  isThisMachine,
  spellingProblem,
  targetProblem,
} from '../../../functions/domain/webhooks/webhook-target.ts';

describe('a webhook target', () => {
  it.each([
    'https://hooks.example.com/payments',
    'https://hooks.example.com:443/',
    'https://93.184.216.34/hook',
    'https://93.184.216.34./hook',
  ])('may be %s', (url) => {
    expect(targetProblem(url, false)).toBeUndefined();
  });

  it.each([
    'http://hooks.example.com/',
    'https://hooks.example.com:8443/',
    'https://user:password@hooks.example.com/',
    'https://user@hooks.example.com/',
    'https://:password@hooks.example.com/',
    'https://127.0.0.1/',
    'https://127.1/',
    'https://127.0.0.1./',
    'https://1/',
    'https://0x7f000001/',
    'https://2130706433/',
    'https://10.0.0.5/',
    'https://169.254.169.254/latest/meta-data',
    'https://[::1]/',
    'https://[::ffff:127.0.0.1]/',
    'http://127.0.0.1/',
    'http://localhost/',
    'ftp://example.com/',
    'not a url',
    '',
  ])('may not be %s', (url) => {
    expect(targetProblem(url, false)).toEqual(expect.any(String));
  });

  it.each([
    'http://host.docker.internal:4900/',
    'http://172.17.0.1:4900/',
    'http://192.168.1.5/',
    'http://receiver:4900/',
    'http://[::1]:4900/',
    'https://host.docker.internal/',
    'https://172.17.0.1/',
  ])('of a local stack may not be %s, and the refusal says what may be', (url) => {
    const allowed = 'http:// with localhost or an address from 127.0.0.0/8 is allowed';
    expect(targetProblem(url, true)).toContain(allowed);
    expect(targetProblem(url, false)).not.toContain('localhost');
  });

  it.each([
    'HTTPS://HOOKS.EXAMPLE.COM/',
    'Https://hooks.example.com/',
    'https:hooks.example.com',
    'Https://hooks.example.com/?to=https://example.com',
  ])('may not be written %s, because responses repeat it as it was sent', (url) => {
    expect(targetProblem(url, false)).toBeUndefined();
    expect(spellingProblem(url)).toBe('The URL must begin with https:// in lower case.');
  });

  it.each(['https://hooks.example.com/payments#tenant-7', 'https://hooks.example.com/#', 'http://127.0.0.1:4002/#a'])(
    'may not be written %s, because no request carries a fragment; an endpoint that already has one still works',
    (url) => {
      expect(spellingProblem(url)).toBe(
        'The URL must end before the #: what comes after it is never sent to a server.',
      );
      expect(targetProblem(url, true)).toBeUndefined();
      expect(spellingProblem(url.replace('#', '%23'))).toBeUndefined();
    },
  );

  it.each(['https://hooks.example.com/our hook', ' https://hooks.example.com/'])(
    'may not be written %j, because responses repeat it as it was sent',
    (url) => {
      expect(targetProblem(url, false)).toBeUndefined();
      expect(spellingProblem(url)).toBe('The URL must not contain spaces.');
    },
  );

  it('may be this machine only if the stage allows it', () => {
    expect(isAllowedAddress('127.0.0.1', true)).toBe(true);
    expect(isAllowedAddress('10.0.0.5', true)).toBe(false);
    expect(targetProblem('https://localhost:4002/webhooks', true)).toEqual(expect.any(String));
    expect(targetProblem('http://127.0.0.1:4002/webhooks', true)).toBeUndefined();
    expect(targetProblem('http://localhost:4002/webhooks', true)).toBeUndefined();
    expect(targetProblem('http://10.0.0.5/', true)).toEqual(expect.any(String));
    expect(targetProblem('http://hooks.example.com/', true)).toEqual(expect.any(String));
    expect(targetProblem('https://printer.local/', true)).toEqual(expect.any(String));
  });

  it('is this machine if it is called localhost, or below that', () => {
    for (const name of ['localhost', 'localhost.', 'hooks.localhost']) expect(isThisMachine(name)).toBe(true);
    for (const name of ['notlocalhost', 'localhost.example.com']) expect(isThisMachine(name)).toBe(false);
  });

  it.each([
    'https://localhost/',
    'https://localhost./',
    'https://LOCALHOST/',
    'https://ｌocalhost/',
    'https://app.localhost/',
    'https://app.localhost./',
    'https://printer.local/',
    'https://printer.local./',
    'https://metadata.google.internal/computeMetadata/v1/',
    'https://ip-10-0-0-5.ec2.internal./',
    'https://hook/',
    'https://hook./',
    'https://hook../',
    'https://my-internal/',
    'https://ｈook/',
    'https://com/',
  ])('may not be %s, whose name is never public; its owner reads the same as for a private address', (url) => {
    expect(targetProblem(url, false)).toBe(targetProblem('https://10.0.0.5/', false));
  });

  it.each([
    'https://localhost.example.com/',
    'https://notlocalhost.example/',
    'https://hooks.local.example.com/',
    'https://internal.example.com/',
    'https://my-internal.example/',
    'https://hooks.example.com./',
  ])('may be %s, which only looks like that', (url) => {
    expect(targetProblem(url, false)).toBeUndefined();
  });

  it.each([
    ['93.184.216.34', true],
    ['8.8.8.8', true],
    ['172.15.0.1', true],
    ['172.16.0.1', false],
    ['100.64.0.1', false],
    ['192.168.1.1', false],
    ['224.0.0.1', false],
    ['255.255.255.255', false],
    ['0.0.0.0', false],
    ['::1', false],
    ['2606:4700::1', false],
    ['192.31.195.255', true],
    ['192.31.196.0', false],
    ['192.31.196.255', false],
    ['192.31.197.0', true],
    ['192.52.192.255', true],
    ['192.52.193.0', false],
    ['192.52.193.255', false],
    ['192.52.194.0', true],
    ['192.175.47.255', true],
    ['192.175.48.0', false],
    ['192.175.48.255', false],
    ['192.175.49.0', true],
  ])('address %s is allowed: %s', (address, allowed) => {
    expect(isAllowedAddress(address, false)).toBe(allowed);
  });
});
