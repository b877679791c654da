import { pageJourney, received } from './page-journey.ts';
import { table } from './report.ts';
import { sessions, usageOfPaidSession } from './session-usage.ts';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod';
import { synthesize } from '../../lib/build/synthesize.ts';

/**
 * Dollars in us-east-1, 2026-11-20, no free tiers or volume discounts: https://aws.amazon.com/cloudfront/pricing,
 * https://aws.amazon.com/eventbridge/pricing/, https://aws.amazon.com/lambda/pricing/ and the other services' pages.
 */
const prices = {
  writeUnits: 0.625e-6,
  readUnits: 0.125e-6,
  apiRequests: 1e-6,
  lambdaRequests: 0.2e-6,
  /** The price for arm64. */
  lambdaGigabyteSeconds: 0.0000133334,
  events: 1e-6,
  queueRequests: 0.4e-6,
  /** The price with a message group, as fair queues require. */
  fairQueueRequests: 0.5e-6,
  pageRequests: 1e-6,
  pageFunctions: 0.1e-6,
  pageGigabytes: 0.085,
  gigabytesOut: 0.09,
  logGigabytes: 0.5,
};

/** Send, receive and delete, with one message per request at low rates. */
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

const parsed = z.object({
  Resources: z.record(
    z.string(),
    z.object({ Type: z.string(), Properties: z.record(z.string(), z.json()).optional() }),
  ),
});

/** Dollars a month in us-east-1, list prices without free tiers: https://aws.amazon.com/cloudwatch/pricing/ and so on. */
const fixedPrices = {
  webAcl: 5,
  webAclRule: 1,
  alarmMetric: 0.1,
  dashboard: 3,
  metric: 0.3,
  secret: 0.4,
  key: 1,
  queueRequest: 0.4e-6,
  readUnit: 0.125e-6,
};

const minutes = 730 * 60;
/** Stripe's secret is not in the template. */
const ownSecrets = 1;
/** `SweepAge` for each of six duties and overall, the ages of the oldest debit and cancellation, `ReconciliationAge`, and two of the probe. */
const idleMetrics = 12;
/** Lambda keeps five requests open at each queue, each for 20 seconds. */
const pollsPerMinute = 5 * 3;
/** Six duties and two ages, each with eight shards of half a unit. */
const readUnitsPerMinute = 8 * 8 * 0.5;

export async function benchFixedPrice(): Promise<string> {
  const resources = await production();
  const all = (type: string) => resources.filter(({ Type }) => Type === type);
  const alarmMetrics = all('AWS::CloudWatch::Alarm').reduce(
    (sum, { Properties = {} }) => sum + metricsOf(Properties),
    0,
  );
  const queues = all('AWS::Lambda::EventSourceMapping').filter(
    ({ Properties }) => Properties?.['ScalingConfig'],
  ).length;
  const secrets = all('AWS::SecretsManager::Secret').length + ownSecrets;
  const webAcls = all('AWS::WAFv2::WebACL').length;
  const polls = queues * pollsPerMinute * minutes;
  const readUnits = readUnitsPerMinute * minutes;
  const millions = (count: number) => `${(count / 1e6).toFixed(1)} million`;
  const lines: [string, string, number][] = [
    ['web ACL with one rule', String(webAcls), webAcls * (fixedPrices.webAcl + fixedPrices.webAclRule)],
    ['metrics of alarms', String(alarmMetrics), alarmMetrics * fixedPrices.alarmMetric],
    ['custom metrics that are written without any payment', String(idleMetrics), idleMetrics * fixedPrices.metric],
    ['CloudWatch dashboard', '1', all('AWS::CloudWatch::Dashboard').length * fixedPrices.dashboard],
    ["secrets, with Stripe's", String(secrets), secrets * fixedPrices.secret],
    ['KMS key', '1', all('AWS::KMS::Key').length * fixedPrices.key],
    [`empty polls of ${queues} queues`, millions(polls), polls * fixedPrices.queueRequest],
    ["the sweep's reads", `${millions(readUnits)} RRU`, readUnits * fixedPrices.readUnit],
  ];
  const dollars = (price: number) => `$${price.toFixed(2)}`;
  return table(
    ['idle production stack', 'count', 'a month, at list price'],
    [
      ...lines.map(([name, count, price]) => [name, count, dollars(price)]),
      ['total', '', dollars(lines.reduce((sum, [, , price]) => sum + price, 0))],
    ],
  );
}

async function production() {
  const outdir = await mkdtemp(join(tmpdir(), 'payment-fixed-price-'));
  try {
    const { template } = await synthesize({ stage: 'production', mailFrom: 'payments@example.com', outdir });
    return Object.values(parsed.parse(template).Resources);
  } finally {
    await rm(outdir, { recursive: true });
  }
}

/** An expression is billed by the number of metrics that it reads. */
function metricsOf({ Metrics: metrics }: Readonly<Record<string, unknown>>): number {
  if (!Array.isArray(metrics)) return 1;
  return metrics.filter((each) => typeof each === 'object' && each !== null && 'MetricStat' in each).length;
}
