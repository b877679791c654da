import { BlockList, isIP } from 'node:net';

const reserved = new BlockList();
for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.31.196.0', 24],
  ['192.52.193.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['192.175.48.0', 24],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const)
  reserved.addSubnet(network, prefix, 'ipv4');

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');

/** An IPv6 address does not match: `URL` writes an embedded IPv4 address in hexadecimal. */
const hasTwoLabels = /[^.]\.[^.]/;
/** Names of this machine: always 127.0.0.1, whatever the system says. */
export function isThisMachine(hostname: string): boolean {
  return /(^|\.)localhost\.?$/.test(hostname);
}

const privateName = /(^|\.)(localhost|local|internal)\.?$/;

/** Rejects IPv6: it has too many ways to embed an IPv4 address. */
export function isAllowedAddress(address: string, allowLoopback: boolean): boolean {
  if (isIP(address) !== 4) return false;
  return !reserved.check(address, 'ipv4') || (allowLoopback && loopback.check(address, 'ipv4'));
}

export function targetProblem(text: string, allowLoopback: boolean): string | undefined {
  if (!URL.canParse(text)) return 'The URL is not valid. Use an absolute https:// URL.';
  const url = new URL(text);
  if (url.username !== '' || url.password !== '') return 'The URL must not contain a username or password.';
  if (allowLoopback && url.protocol === 'http:' && (url.hostname === 'localhost' || loopback.check(url.hostname)))
    return undefined;
  const local = allowLoopback ? ' Here, http:// with localhost or an address from 127.0.0.0/8 is allowed, too.' : '';
  if (url.protocol !== 'https:') return `The URL must begin with https://.${local}`;
  if (url.port !== '') return 'The URL must use port 443.';
  if (
    !hasTwoLabels.test(url.hostname) ||
    privateName.test(url.hostname) ||
    (isIP(url.hostname) !== 0 && !isAllowedAddress(url.hostname, allowLoopback))
  ) {
    return `The URL must point to a public host.${local}`;
  }
  return undefined;
}

/** A URL parser accepts more than the contract does, and responses repeat the URL exactly as sent. */
export function spellingProblem(text: string): string | undefined {
  if (text.includes(' ')) return 'The URL must not contain spaces.';
  if (text.includes('#')) return 'The URL must end before the #: what comes after it is never sent to a server.';
  return /^https?:\/\//.test(text) ? undefined : 'The URL must begin with https:// in lower case.';
}
