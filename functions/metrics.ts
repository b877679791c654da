import { metrics, type Measurement, type MetricName } from './contract/metrics.ts';

/** Writes CloudWatch's embedded metric format. The empty dimension set is the total. */
export function embeddedMetrics(
  measurements: readonly Measurement[],
  namespace: string,
  now: number,
): Record<string, unknown> {
  const directives = measurements.map(({ metric }) => {
    const dimension = dimensionOf(metric);
    return {
      Namespace: namespace,
      Dimensions: dimension === undefined ? [[]] : [[], [dimension]],
      Metrics: [{ Name: metric, Unit: metrics[metric].unit }],
    };
  });
  const values = measurements.flatMap(({ metric, value, by }) => {
    const dimension = dimensionOf(metric);
    return dimension === undefined
      ? [[metric, value]]
      : [
          [metric, value],
          [dimension, by],
        ];
  });
  return { _aws: { Timestamp: now, CloudWatchMetrics: directives }, ...Object.fromEntries(values) };
}

function dimensionOf(name: MetricName): string | undefined {
  const metric = metrics[name];
  return 'dimension' in metric ? metric.dimension : undefined;
}
