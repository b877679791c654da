import { pageJourney, received } from './page-journey.ts';
import { table } from './report.ts';
import { sessions, usageOfPaidSession } from './session-usage.ts';

/**
 * Dollars in us-east-1, 2026-11-20, no free tiers or volume discounts: https://aws.amazon.com/cloudfront/pricing,
 * https://aws.amazon.com/eventbridge/pricing/, https://aws.amazon.com/lambda/pricing/ and the other services' pages.
 */
const prices = {
  writeUnits: 0.625e-6,
  readUnits: 0.125e-6,
  apiRequests: 1e-6,
  lambdaRequests: 0.2e-6,
  /** For arm64. */
  lambdaGigabyteSeconds: 0.0000133334,
  events: 1e-6,
  queueRequests: 0.4e-6,
  /** With a message group, as fair queues require. */
  fairQueueRequests: 0.5e-6,
  pageRequests: 1e-6,
  pageFunctions: 0.1e-6,
  pageGigabytes: 0.085,
  gigabytesOut: 0.09,
  logGigabytes: 0.5,
};

/** Sending, receiving and deleting, one message per request at low rates. */
const requestsPerMessage = 3;

export async function benchPrice(): Promise<string> {
  const used = await usageOfPaidSession();
  const submitted = (await pageJourney()).find(({ step }) => step.startsWith('authorized'))?.moved ?? [];
  const plainMessages = used.messages - used.fairMessages;
  const gigabytes = (bytes: number) => bytes / 1e9;
  const lines: [string, string, number][] = [
    [
      'DynamoDB writes',
      `${used.writeUnits.toFixed(1)} WRU, including ${used.sandboxWriteUnits.toFixed(1)} for the sandbox bank`,
      used.writeUnits * prices.writeUnits,
    ],
    ['DynamoDB reads', `${used.readUnits.toFixed(1)} RRU`, used.readUnits * prices.readUnits],
    ['API requests', used.apiRequests.toFixed(1), used.apiRequests * prices.apiRequests],
    ['Lambda requests', used.invocations.toFixed(1), used.invocations * prices.lambdaRequests],
    [
      'Lambda time, as measured on this machine',
      `${used.milliseconds.toFixed(0)} ms`,
      used.gigabyteSeconds * prices.lambdaGigabyteSeconds,
    ],
    ['EventBridge events', used.events.toFixed(1), used.events * prices.events],
    [
      `SQS requests, ${requestsPerMessage} per message`,
      (requestsPerMessage * used.messages).toFixed(1),
      requestsPerMessage * (plainMessages * prices.queueRequests + used.fairMessages * prices.fairQueueRequests),
    ],
    [
      'CloudFront requests and viewer functions',
      String(submitted.length),
      submitted.length * (prices.pageRequests + prices.pageFunctions),
    ],
    [
      'CloudFront bytes',
      `${(received(submitted) / 1000).toFixed(1)} kB`,
      gigabytes(received(submitted)) * prices.pageGigabytes,
    ],
    [
      'webhooks, as data transfer out',
      `${used.webhooks.toFixed(1)} × ${(used.webhookBytes / used.webhooks / 1000).toFixed(1)} kB`,
      gigabytes(used.webhookBytes) * prices.gigabytesOut,
    ],
    ['our log lines', `${(used.logBytes / 1000).toFixed(1)} kB`, gigabytes(used.logBytes) * prices.logGigabytes],
  ];
  const dollars = (price: number) => `$${(price * 1e6).toFixed(2)}`;
  const total = lines.reduce((sum, [, , price]) => sum + price, 0);
  return table(
    [`per paid session, mean of ${sessions}`, 'measured', 'per million, at list price'],
    [
      ...lines.map(([name, measured, price]) => [name, measured, dollars(price)]),
      [
        'total',
        used.refused > 0
          ? `and ${used.refused.toFixed(1)} refused writes, whose units the database does not report`
          : '',
        dollars(total),
      ],
    ],
  );
}
