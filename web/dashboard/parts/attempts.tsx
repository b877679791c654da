import type { DeliveryDetail } from '../../../functions/contract/webhooks/dashboard-deliveries.ts';
import { attemptAdvice, attemptResult } from '../attempt-words.ts';
import { spreadJson } from '../format.ts';
import { CopyButton } from './copy.tsx';
import { Facts, Tag, Time } from './facts.tsx';

type Attempt = DeliveryDetail['attempts'][number];

/** Every attempt of a delivery, with request and answer. The last one is open. */
export function Attempts({ of: { delivery, body, attempts } }: { readonly of: DeliveryDetail }) {
  if (attempts.length === 0)
    return <p class="quiet">{delivery.status === 'pending' ? 'Not sent yet.' : 'Nothing was sent.'}</p>;
  return (
    <ol class="attempts">
      {[...attempts].reverse().map((attempt, index) => (
        <li key={attempt.attemptNumber}>
          <details open={index === 0}>
            <summary>
              <span>Attempt {attempt.attemptNumber}</span>{' '}
              <Tag tone={isGood(attempt) ? 'good' : 'bad'}>{attemptResult(attempt)}</Tag>{' '}
              <span class="quiet">
                <Time at={attempt.startedAt} as="exact" />
              </span>
            </summary>
            <div class="attempt">
              <Facts
                facts={[
                  ['Answer', attemptResult(attempt)],
                  ['Advice', attemptAdvice(attempt)],
                  ['Redirects to', attempt.redirectsTo && <code>{attempt.redirectsTo}</code>],
                  ['Time', `${attempt.durationMilliseconds.toLocaleString('en-US')} ms`],
                ]}
              />
              {attempt.responseExcerpt && (
                <pre tabIndex={0} role="group" aria-label={`Answer to attempt ${attempt.attemptNumber}`}>
                  {attempt.responseExcerpt}
                  {attempt.responseTruncated && '…'}
                </pre>
              )}
              <Request {...{ eventId: delivery.eventId, body, attempt }} />
            </div>
          </details>
        </li>
      ))}
    </ol>
  );
}

interface RequestProps extends Pick<DeliveryDetail, 'body'> {
  readonly eventId: string;
  readonly attempt: Attempt;
}

function Request({ eventId, body, attempt }: RequestProps) {
  return (
    <details>
      <summary>Request</summary>
      <Facts
        facts={[
          ['URL', <code>POST {attempt.url}</code>],
          ['webhook-id', <code>{eventId}</code>],
          ['webhook-timestamp', <code>{Math.floor(Date.parse(attempt.startedAt) / 1000)}</code>],
        ]}
      />
      {body === undefined ? <p class="quiet">The body is kept for 30 days.</p> : <Body text={body} />}
    </details>
  );
}

function isGood({ statusCode = 0 }: Attempt): boolean {
  return statusCode >= 200 && statusCode < 300;
}

/** Formatted on the screen, but copied byte for byte, as it was signed. */
function Body({ text }: { readonly text: string }) {
  return (
    <div class="body">
      <pre tabIndex={0} role="group" aria-label="Body of the request">
        {spreadJson(text)}
      </pre>
      <CopyButton text={text} label="Copy the body" />
    </div>
  );
}
