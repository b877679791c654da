import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod';
import { synthesize } from '../../lib/build/synthesize.ts';
import { table } from './report.ts';

const parsed = z.object({
  Resources: z.record(
    z.string(),
    z.object({ Type: z.string(), Properties: z.record(z.string(), z.json()).optional() }),
  ),
});

/** Dollars a month in us-east-1, list prices without free tiers: https://aws.amazon.com/cloudwatch/pricing/ and so on. */
const prices = {
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
/** `SweepAge` by each of six duties and over all, the ages of the oldest debit and cancellation, and `ReconciliationAge`. */
const idleMetrics = 10;
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
    ['web ACL with one rule', String(webAcls), webAcls * (prices.webAcl + prices.webAclRule)],
    ['metrics of alarms', String(alarmMetrics), alarmMetrics * prices.alarmMetric],
    ['custom metrics that are written without any payment', String(idleMetrics), idleMetrics * prices.metric],
    ['CloudWatch dashboard', '1', all('AWS::CloudWatch::Dashboard').length * prices.dashboard],
    ["secrets, with Stripe's", String(secrets), secrets * prices.secret],
    ['KMS key', '1', all('AWS::KMS::Key').length * prices.key],
    [`empty polls of ${queues} queues`, millions(polls), polls * prices.queueRequest],
    ["the sweep's reads", `${millions(readUnits)} RRU`, readUnits * prices.readUnit],
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

/** An expression is billed by the metrics that it reads. */
function metricsOf({ Metrics: metrics }: Readonly<Record<string, unknown>>): number {
  if (!Array.isArray(metrics)) return 1;
  return metrics.filter((each) => typeof each === 'object' && each !== null && 'MetricStat' in each).length;
}
