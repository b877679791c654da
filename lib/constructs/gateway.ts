import { Duration } from 'aws-cdk-lib';
import type { HttpApi } from 'aws-cdk-lib/aws-apigatewayv2';
import { MathExpression, type IMetric, type Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { Policy, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { FilterPattern, MetricFilter, type LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { accessLog } from './access-log.ts';
import { metricsNamespace } from './service-function.ts';

/** What the practices' and the pages' HTTP APIs share, and their combined metrics. */
export class Gateway extends Construct {
  readonly accessLog = accessLog(this);
  /** One role for all functions: a permission for each would take a tenth of a stack's resources. */
  readonly role = new Role(this, 'Role', { assumedBy: new ServicePrincipal('apigateway.amazonaws.com') });
  private readonly invoking = new PolicyStatement({ actions: ['lambda:InvokeFunction'] });
  /** CDK overestimates the length of ARNs, and would split the role's default policy. */
  readonly policy = new Policy(this, 'Policy', { roles: [this.role], statements: [this.invoking] });
  /** Requests to existing routes that API Gateway throttled. */
  readonly throttledRequests: Metric;
  private readonly apis: readonly HttpApi[];

  constructor(scope: Construct, id: string, apis: readonly HttpApi[]) {
    super(scope, id);
    this.apis = apis;
    this.throttledRequests = throttledIn(this, this.accessLog);
  }

  allowInvoking(functionArn: string): void {
    this.invoking.addResources(functionArn);
  }

  requests(period: Duration): IMetric {
    return this.sum('requests', period, (api) => api.metricCount());
  }

  clientErrors(period: Duration): IMetric {
    return this.sum('refused', period, (api) => api.metricClientError());
  }

  serverErrors(period: Duration): IMetric {
    return this.sum('failed', period, (api) => api.metricServerError());
  }

  private sum(name: string, period: Duration, metricOf: (api: HttpApi) => Metric): IMetric {
    const usingMetrics = Object.fromEntries(this.apis.map((api, index) => [`${name}${index}`, metricOf(api)]));
    // Filled with 0, because an API without requests has no data, which would hide the other API's errors.
    const filled = Object.keys(usingMetrics).map((id) => `FILL(${id}, 0)`);
    const expression = `SUM([${filled.join(', ')}])`;
    return new MathExpression({ expression, usingMetrics, label: name, period });
  }
}

function throttledIn(scope: Construct, accessLog: LogGroup): Metric {
  const { stringValue } = FilterPattern;
  const filter = new MetricFilter(scope, 'Throttled', {
    logGroup: accessLog,
    filterPattern: FilterPattern.all(
      stringValue('$.status', '=', '429'),
      // A 429 for a practice's own limit has a latency.
      stringValue('$.integrationLatency', '=', '-'),
      stringValue('$.routeKey', '!=', '$default'),
    ),
    metricNamespace: metricsNamespace(scope),
    metricName: 'ThrottledRequests',
    metricValue: '1',
  });
  return filter.metric({ statistic: 'Sum', period: Duration.minutes(5) });
}
