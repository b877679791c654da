import { get as getOverHttp, type IncomingMessage } from 'node:http';
import { get as getOverHttps } from 'node:https';
import { TLSSocket } from 'node:tls';
import { codeOf } from '../domain/fault.ts';
import { day, second, toIso } from '../domain/time.ts';
import { logInfo } from '../log.ts';

export interface Place {
  readonly name: 'page' | 'patient_api' | 'api' | 'dashboard' | 'docs';
  readonly url: string;
  readonly status: number;
}

interface Trust {
  /** Certificate authorities other than Node's own. */
  readonly ca?: string;
}

const patience = 10 * second;
/** ACM renews its certificates earlier. */
const renewedBefore = 30 * day;

/** Requests each place the way an outsider would. Never throws: an alarm reads the metrics, and notices if there are none. */
export async function probe(places: readonly Place[], now: number, trust: Trust = {}): Promise<void> {
  const results = await Promise.all(places.map((place) => visit(place, now, trust)));
  logInfo('probed', {}, [
    { metric: 'FailedProbes', value: results.filter(({ failed }) => failed).length },
    { metric: 'ExpiringCertificates', value: results.filter(({ endsSoon }) => endsSoon).length },
  ]);
}

async function visit({ name, url, status }: Place, now: number, trust: Trust) {
  try {
    const answer = await ask(url, trust);
    const failed = answer.status !== status;
    if (failed) logInfo('probe failed', { place: name, status: answer.status });
    const { certificateEnds = Infinity } = answer;
    const { hostname } = new URL(url);
    const endsSoon = certificateEnds - now < renewedBefore && !isNamedByAws(hostname);
    if (endsSoon) logInfo('certificate ends soon', { host: hostname, ends: toIso(certificateEnds) });
    return { failed, endsSoon };
  } catch (error) {
    logInfo('probe failed', { place: name, error: error instanceof Error ? codeOf(error) || error.name : 'unknown' });
    return { failed: true, endsSoon: false };
  }
}

/** AWS renews these itself, and not always a month early. */
function isNamedByAws(host: string): boolean {
  return /\.(?:amazonaws\.com|cloudfront\.net)$/.test(host);
}

interface Seen {
  readonly status: number;
  /** Set only over TLS. */
  readonly certificateEnds?: number;
}

function ask(url: string, trust: Trust): Promise<Seen> {
  const get = url.startsWith('https:') ? getOverHttps : getOverHttp;
  return new Promise((resolve, reject) => {
    // Without an agent, each run opens a new connection, and so sees a new certificate.
    const options = { ...trust, agent: false, signal: AbortSignal.timeout(patience) };
    const request = get(url, options, (response) => {
      const seen = seenIn(response);
      response
        .resume()
        .once('end', () => resolve(seen))
        .once('error', reject);
    });
    request.once('error', reject);
  });
}

function seenIn({ statusCode = 0, socket }: IncomingMessage): Seen {
  if (!(socket instanceof TLSSocket)) return { status: statusCode };
  return { status: statusCode, certificateEnds: Date.parse(socket.getPeerCertificate().valid_to) };
}
