import { runInNewContext } from 'node:vm';
import { second } from '../../functions/domain/time.ts';
import { isObject, parseJson } from '../../lib/local/json.ts';

/** One value of one metric, as CloudWatch stores it. */
export interface DataPoint {
  readonly namespace: string;
  readonly name: string;
  readonly dimensions: Readonly<Record<string, string>>;
  readonly time: number;
  readonly value: number;
}

interface Embedded {
  readonly _aws: {
    readonly Timestamp: number;
    readonly CloudWatchMetrics: {
      readonly Namespace: string;
      readonly Dimensions: string[][];
      readonly Metrics: { Name: string }[];
    }[];
  };
}

/** What CloudWatch reads from log lines in its embedded metric format. */
export function pointsIn(lines: readonly string[]): DataPoint[] {
  return lines.flatMap((text) => {
    const line = parseJson(text);
    if (!isObject(line) || line['_aws'] === undefined) return [];
    const { Timestamp: time, CloudWatchMetrics } = (line as unknown as Embedded)._aws;
    return CloudWatchMetrics.flatMap(({ Namespace: namespace, Dimensions, Metrics }) =>
      Dimensions.flatMap((names) =>
        Metrics.map(({ Name: name }) => ({
          namespace,
          name,
          dimensions: Object.fromEntries(names.map((each) => [each, String(line[each])])),
          time,
          value: Number(line[name]),
        })),
      ),
    );
  });
}

interface Measured {
  readonly Namespace: string;
  readonly MetricName: string;
  readonly Dimensions?: { Name: string; Value: unknown }[];
}

interface AlarmProperties extends Partial<Measured> {
  readonly AlarmName: string;
  readonly Statistic?: string;
  readonly ExtendedStatistic?: string;
  readonly Period?: number;
  readonly EvaluationPeriods: number;
  readonly DatapointsToAlarm?: number;
  readonly Threshold: number;
  readonly TreatMissingData: 'notBreaching' | 'breaching';
  readonly Metrics?: {
    Id: string;
    Expression?: string;
    Period?: number;
    MetricStat?: { Metric: Measured; Period: number; Stat: string };
  }[];
}

/** A series' value in the period that ends at `end`. */
type Series = (end: number) => number | undefined;

/** Whether an alarm in the template that fires above its threshold is on if CloudWatch has these values now. */
export function isOn(template: unknown, name: string, points: readonly DataPoint[]): boolean {
  const now = Date.now();
  const { Resources } = template as { Resources: Record<string, { Type: string; Properties: unknown }> };
  const alarms = Object.values(Resources)
    .filter(({ Type }) => Type === 'AWS::CloudWatch::Alarm')
    .map(({ Properties }) => Properties as AlarmProperties);
  const alarm = alarms.find(({ AlarmName }) => AlarmName.endsWith(`-${name}`));
  if (!alarm) throw new Error(`no alarm ${name}`);
  const { EvaluationPeriods, DatapointsToAlarm = EvaluationPeriods, Threshold, TreatMissingData } = alarm;
  const { period, series } = seriesOf(alarm, points);
  const ends = Array.from({ length: EvaluationPeriods }, (_, index) => now - index * period);
  return series.some(
    (valueAt) =>
      ends.filter((end) => {
        const value = valueAt(end);
        return value === undefined ? TreatMissingData === 'breaching' : value > Threshold;
      }).length >= DatapointsToAlarm,
  );
}

function seriesOf(alarm: AlarmProperties, points: readonly DataPoint[]): { period: number; series: Series[] } {
  const { Namespace = '', MetricName = '', Dimensions = [], Period = 0, Metrics = [] } = alarm;
  const name = alarm.Statistic ?? alarm.ExtendedStatistic ?? '';
  if (Metrics.length === 0)
    return {
      period: Period * second,
      series: [statistic(points, { Namespace, MetricName, Dimensions }, name, Period * second)],
    };
  const expression = Metrics.find(({ Expression }) => Expression !== undefined);
  const period =
    Number(expression?.Period ?? Metrics.find(({ MetricStat }) => MetricStat)?.MetricStat?.Period) * second;
  const text = expression?.Expression ?? '';
  const query =
    /^SELECT SUM\((\w+)\) FROM SCHEMA\("([^"]+)", (\w+)\) GROUP BY \3 ORDER BY SUM\(\) DESC$/.exec(text)?.slice(1) ??
    [];
  const [MetricNameOfQuery = '', NamespaceOfQuery = '', dimension] = query;
  if (dimension !== undefined) {
    const groups = new Set(points.flatMap(({ dimensions }) => dimensions[dimension] ?? []));
    return {
      period,
      series: [...groups].map((Value) =>
        statistic(
          points,
          { Namespace: NamespaceOfQuery, MetricName: MetricNameOfQuery, Dimensions: [{ Name: dimension, Value }] },
          'Sum',
          period,
        ),
      ),
    };
  }
  const inputs = Metrics.flatMap(({ Id, MetricStat }) =>
    MetricStat ? [[Id, statistic(points, MetricStat.Metric, MetricStat.Stat, period)] as const] : [],
  );
  return { period, series: [(end) => calculate(text, Object.fromEntries(inputs.map(([id, of]) => [id, of(end)])))] };
}

function statistic(
  points: readonly DataPoint[],
  { Namespace, MetricName, Dimensions = [] }: Measured,
  name: string,
  period: number,
): Series {
  const dimensions = JSON.stringify(Dimensions.map(({ Name, Value }) => [Name, textOf(Value)]).sort());
  const own = points.filter(
    (point) =>
      point.namespace === Namespace &&
      point.name === MetricName &&
      JSON.stringify(Object.entries(point.dimensions).sort()) === dimensions,
  );
  return (end) => {
    const values = own.filter(({ time }) => time <= end && time > end - period).map(({ value }) => value);
    if (values.length === 0) return undefined;
    const sum = values.reduce((left, right) => left + right, 0);
    switch (name) {
      case 'Sum':
        return sum;
      case 'Average':
        return sum / values.length;
      case 'Maximum':
        return Math.max(...values);
      case 'p99':
        return values.toSorted((left, right) => left - right)[Math.ceil(values.length * 0.99) - 1];
      default:
        throw new Error(`evaluate ${name} here`);
    }
  };
}

/** A value in the template, or the logical ID that it refers to. */
function textOf(value: unknown): string {
  return typeof value === 'string' ? value : (value as { Ref: string }).Ref;
}

const functions = {
  IF: (condition: boolean, yes: number, no: number) => (condition ? yes : no),
  SUM: (values: readonly number[]) => values.reduce((left, right) => left + right, 0),
  FILL: (value: number, filler: number) => (Number.isNaN(value) ? filler : value),
};

/** CloudWatch's math reads like JavaScript, if missing values are NaN. */
function calculate(expression: string, values: Readonly<Record<string, number | undefined>>): number | undefined {
  const filled = Object.fromEntries(Object.entries(values).map(([id, value]) => [id, value ?? Number.NaN]));
  const result: unknown = runInNewContext(expression, { ...functions, ...filled });
  return typeof result === 'number' && !Number.isNaN(result) ? result : undefined;
}
