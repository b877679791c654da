import { generateKeyPairSync, randomUUID, sign, type KeyObject } from 'node:crypto';
import { day } from '../../functions/domain/time.ts';

interface Wanted {
  readonly issuer?: Certificate;
  readonly isAuthority?: boolean;
  /** The only address that the certificate is for. */
  readonly address?: string;
  readonly from?: number;
  readonly until?: number;
}

export interface Certificate {
  readonly subject: string;
  readonly pem: string;
  readonly key: string;
  readonly privateKey: KeyObject;
}

/** Signed by its own key if there is no issuer. For 127.0.0.1 and currently valid, unless `wanted` says otherwise. */
export function aCertificate({ issuer, isAuthority = false, ...wanted }: Wanted = {}): Certificate {
  const { address = '127.0.0.1', from = Date.now() - 30 * day, until = Date.now() + 30 * day } = wanted;
  // OpenSSL looks a trusted certificate up by its subject: two with the same one would be mixed up.
  const subject = randomUUID();
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  const extensions = sequence(
    sequence(oid([0x55, 0x1d, 0x13]), der(0x01, [0xff]), octets(sequence(...(isAuthority ? [der(0x01, [0xff])] : [])))),
    sequence(oid([0x55, 0x1d, 0x11]), octets(sequence(der(0x87, address.split('.').map(Number))))),
  );
  const toSign = sequence(
    der(0xa0, der(0x02, [2])),
    der(0x02, [1]),
    ecdsaWithSha256,
    nameOf(issuer?.subject ?? subject),
    sequence(time(from), time(until)),
    nameOf(subject),
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, extensions),
  );
  const signature = sign('sha256', toSign, issuer?.privateKey ?? privateKey);
  const bytes = sequence(toSign, ecdsaWithSha256, der(0x03, [0], signature));
  const lines = bytes.toString('base64').replaceAll(/.{1,64}/g, '$&\n');
  const key = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  return { subject, pem: `-----BEGIN CERTIFICATE-----\n${lines}-----END CERTIFICATE-----\n`, key, privateKey };
}

/** X.690, 8.1: tag, length, content. */
function der(tag: number, ...parts: (Buffer | readonly number[])[]): Buffer {
  const content = Buffer.concat(parts.map((part) => Buffer.from(part)));
  const { length } = content;
  const size = length < 128 ? [length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

const sequence = (...parts: Buffer[]) => der(0x30, ...parts);
const oid = (bytes: readonly number[]) => der(0x06, bytes);
const octets = (content: Buffer) => der(0x04, content);
const ecdsaWithSha256 = sequence(oid([0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02]));
const nameOf = (text: string) => sequence(der(0x31, sequence(oid([0x55, 0x04, 0x03]), der(0x0c, Buffer.from(text)))));
const time = (at: number) => der(0x18, Buffer.from(`${new Date(at).toISOString().replaceAll(/[-:T]|\.\d+Z/g, '')}Z`));
