import { Resolver } from 'node:dns/promises';
import type { LookupFunction } from 'node:net';
import { codeOf } from '../domain/fault.ts';
import type { AttemptError, MadeAttempt } from '../domain/webhooks/delivery.ts';
import { second } from '../domain/time.ts';
import { isAllowedAddress, isThisMachine } from '../domain/webhooks/webhook-target.ts';

/** Says in one word why there is no answer. */
export class AttemptFailure extends Error {
  readonly reason: AttemptError;

  constructor(reason: AttemptError, options?: ErrorOptions) {
    super(reason.replaceAll('_', ' '), options);
    this.reason = reason;
  }
}

/** How far the connection had come. */
interface Progress {
  /** Whether the server's certificate was accepted, or none is needed. */
  readonly secured: boolean;
  /** Whether keys were agreed on. A TLS 1.2 server that fails after that wants a client certificate. */
  readonly hasKeys: boolean;
}

const byCode: Readonly<Record<string, AttemptError>> = {
  ECONNREFUSED: 'connection_refused',
  ECONNRESET: 'connection_reset',
  EPIPE: 'connection_reset',
  ETIMEDOUT: 'connection_timeout',
  CERT_HAS_EXPIRED: 'certificate_expired',
  CERT_NOT_YET_VALID: 'certificate_not_yet_valid',
  ERR_TLS_CERT_ALTNAME_INVALID: 'certificate_wrong_name',
  HOSTNAME_MISMATCH: 'certificate_wrong_name',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'certificate_self_signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'certificate_self_signed',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'certificate_chain_incomplete',
  UNABLE_TO_GET_ISSUER_CERT: 'certificate_chain_incomplete',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'certificate_chain_incomplete',
};

/** Node's other codes for a certificate that does not verify: https://nodejs.org/api/tls.html#x509-certificate-error-codes */
const otherCertificateCode =
  /^(CERT_|CRL_|ERROR_IN_|UNABLE_TO_|INVALID_|PATH_LENGTH_EXCEEDED|UNSPECIFIED$|ERR_TLS_CERT_)/;

/** RFC 8446, 6. These alerts are about the client's certificate. We send none, so the server must require one. */
const alertsAboutOurCertificate = new Set([41, 42, 43, 44, 45, 46, 48, 116]);
const handshakeFailure = 40;

/** Expects an error of Node's `http`, `tls` or `net`. */
export function attemptErrorOf(error: Error, { secured, hasKeys }: Progress): AttemptError {
  if (error instanceof AttemptFailure) return error.reason;
  if (error.name === 'AbortError') return 'timeout';
  const code = codeOf(error);
  const alert = Number(/SSL alert number (\d+)/.exec(error.message)?.[1]);
  if (alertsAboutOurCertificate.has(alert) || (alert === handshakeFailure && hasKeys))
    return 'client_certificate_required';
  if (wasClosed(error) && !secured) return 'tls_handshake_failed';
  const reason = byCode[code];
  if (reason !== undefined) return reason;
  if (otherCertificateCode.test(code)) return 'certificate_invalid';
  return code === 'EPROTO' || /^ERR_(SSL|TLS)_/.test(code) ? 'tls_handshake_failed' : 'network_error';
}

export function wasClosed(error: Error): boolean {
  return ['ECONNRESET', 'EPIPE'].includes(codeOf(error));
}

/** What the name servers say about a host that has no address for us. Everything else is their own failure. */
const hasNoAddress = new Set(['ENOTFOUND', 'ENODATA', 'EBADNAME']);

export function lookupFailure(error: Error): AttemptFailure {
  return new AttemptFailure(hasNoAddress.has(codeOf(error)) ? 'host_not_found' : 'dns_failure', { cause: error });
}

/** As much as other clients read. Node's own limit is 16 KiB. */
export const maximumHeaderSize = 256 * 1024;

/** A status line of RFC 9112, 4, after any interim responses. */
const statusLine =
  /^[\r\n]*(?:HTTP\/\d(?:\.\d)? +1\d\d[^\n]*\n(?:[^\r\n]+\r?\n)*\r?\n)*HTTP\/\d(?:\.\d)? +([2-9]\d\d)(?=[ \r\n])/;

/** Whether Node's parser refused what came. Nothing is read after that. */
export function isParseError(error: Error): boolean {
  return codeOf(error).startsWith('HPE_');
}

/**
 * The parser stays strict, because a lenient one guesses where a response ends. Only the status is read here, and the
 * connection is not used again. What is not HTTP is kept, so that the receiver's owner sees who answered.
 */
export function unreadableResponse(
  error: Error,
  start: Buffer,
): Pick<MadeAttempt, 'statusCode' | 'error' | 'responseExcerpt' | 'responseTruncated'> {
  const text = start.toString('utf8');
  const statusCode = statusLine.exec(text)?.[1];
  return {
    error: codeOf(error) === 'HPE_HEADER_OVERFLOW' ? 'response_header_too_large' : 'unreadable_response',
    ...(statusCode === undefined ? { responseExcerpt: text } : { statusCode: Number(statusCode) }),
    responseTruncated: true,
  };
}

/** Used instead of the system's lookup, which blocks a worker thread while a name server does not answer. */
export const nameServers = new Resolver({ timeout: second, tries: 2 });

/** Resolves once: a second lookup could return other addresses (DNS rebinding). */
export function allowedLookup(allowLoopback: boolean, resolver: Resolver): LookupFunction {
  return (hostname, options, callback) => {
    addressesOf(hostname, resolver).then(
      (addresses) => {
        const [first] = addresses;
        if (first === undefined) callback(new AttemptFailure('host_not_found'), '', 4);
        else if (!addresses.every((address) => isAllowedAddress(address, allowLoopback)))
          callback(new AttemptFailure('blocked_address'), '', 4);
        else if (options.all)
          callback(
            null,
            addresses.map((address) => ({ address, family: 4 })),
          );
        else callback(null, first, 4);
      },
      (error: Error) => callback(lookupFailure(error), '', 4),
    );
  };
}

function addressesOf(hostname: string, resolver: Resolver): Promise<string[]> {
  return isThisMachine(hostname) ? Promise.resolve(['127.0.0.1']) : resolver.resolve4(hostname);
}
