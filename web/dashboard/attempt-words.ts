import type { DeliveryDetail } from '../../functions/contract/webhooks/dashboard-deliveries.ts';

type Outcome = Pick<DeliveryDetail['attempts'][number], 'statusCode' | 'error'>;

interface Words {
  readonly title: string;
  readonly advice: string;
}

const failures: Readonly<Record<NonNullable<Outcome['error']>, Words>> = {
  timeout: {
    title: 'No answer in time',
    advice: 'Answer within 15 seconds: store the event, answer 2xx, and do the work afterward.',
  },
  network_error: {
    title: 'No connection',
    advice: 'Check that the server is up and can be reached from the Internet.',
  },
  blocked_address: {
    title: 'Address not allowed',
    advice: 'Make the host name resolve to public IPv4 addresses only.',
  },
  host_not_found: {
    title: 'No such host',
    advice: 'Check the spelling of the URL, and that the host name has an A record.',
  },
  dns_failure: {
    title: 'Host name not resolved',
    advice: 'Ask whoever runs your DNS: the name servers gave no answer, or an error.',
  },
  connection_timeout: {
    title: 'Connection timed out',
    advice:
      'Make your firewall accept HTTPS from every address, because ours change: nothing answered within 5 seconds.',
  },
  connection_refused: {
    title: 'Connection refused',
    advice: 'Start the server, or check the port: nothing listens there.',
  },
  connection_reset: {
    title: 'Connection closed without an answer',
    advice: 'Check the logs of your server, and of any proxy in front of it, at this time.',
  },
  certificate_expired: {
    title: 'Certificate expired',
    advice: 'Renew the certificate, then reload the server.',
  },
  certificate_not_yet_valid: {
    title: 'Certificate not valid yet',
    advice: 'Install a certificate that is valid now: the period of this one has not begun.',
  },
  certificate_wrong_name: {
    title: 'Certificate of another host',
    advice: 'Install a certificate that covers the host name in the URL, or change the URL.',
  },
  certificate_chain_incomplete: {
    title: 'Certificate chain incomplete',
    advice: "Send the authority's intermediate certificates along with your own (often a file named fullchain).",
  },
  certificate_self_signed: {
    title: 'Certificate self-signed',
    advice:
      'Use a certificate of a public authority: we trust neither self-signed ones nor those of a private authority.',
  },
  certificate_invalid: {
    title: 'Certificate not valid',
    advice: 'Have a public authority issue a new certificate: this one does not verify.',
  },
  tls_handshake_failed: {
    title: 'TLS handshake failed',
    advice: 'Make the server support TLS 1.2 or 1.3 on this port, for this host name.',
  },
  client_certificate_required: {
    title: 'Client certificate wanted',
    advice: "Turn client certificates off for this path, and verify each webhook's signature instead: we send none.",
  },
  unreadable_response: {
    title: 'Answer not readable',
    advice: 'Look at what your server, or a proxy in front of it, sends: it is not valid HTTP/1.1.',
  },
  response_header_too_large: {
    title: 'Header of the answer too large',
    advice: 'Send fewer or shorter headers, such as cookies: we read 256 KiB.',
  },
};

export function attemptResult({ statusCode, error }: Outcome): string {
  return statusCode === undefined ? (error ? failures[error].title : 'No answer') : `HTTP ${statusCode}`;
}

/** What the endpoint's owner can do about it, if we know more than the status. */
export function attemptAdvice({ statusCode = 0, error }: Outcome): string | undefined {
  if (statusCode >= 300 && statusCode < 400) return "Change the endpoint's URL: we do not follow redirects.";
  return error && failures[error].advice;
}

/** Whether to ask again soon: retries can be days apart, and nothing changes in between. */
export function isDueWithin({ status, nextAttemptAt }: DeliveryDetail['delivery'], seconds: number): boolean {
  const soon = Date.now() + seconds * 1000;
  return status === 'pending' && (nextAttemptAt === undefined || Date.parse(nextAttemptAt) < soon);
}
