import type { AttemptError } from '../domain/webhooks/delivery.ts';

/** Says in one word why there is no answer. */
export class AttemptFailure extends Error {
  readonly reason: AttemptError;

  constructor(reason: AttemptError, options?: ErrorOptions) {
    super(reason.replaceAll('_', ' '), options);
    this.reason = reason;
  }
}

/** How far the connection had come. */
export interface Progress {
  /** Whether the server's certificate was accepted, or none is needed. */
  readonly secured: boolean;
  /** Whether keys were agreed on. In TLS 1.2, a server that then refuses misses our certificate. */
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

/** RFC 8446, 6. Alerts about a certificate can only mean ours, and we send none. */
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

export function codeOf(error: Error): string {
  return 'code' in error ? String(error.code) : '';
}

export function wasClosed(error: Error): boolean {
  return ['ECONNRESET', 'EPIPE'].includes(codeOf(error));
}

/** What the name servers say about a host that has no address for us. Everything else is their own failure. */
const hasNoAddress = new Set(['ENOTFOUND', 'ENODATA', 'EBADNAME']);

export function lookupFailure(error: Error): AttemptFailure {
  return new AttemptFailure(hasNoAddress.has(codeOf(error)) ? 'host_not_found' : 'dns_failure', { cause: error });
}
