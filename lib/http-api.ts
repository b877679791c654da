import { Duration, Lazy, Validations } from 'aws-cdk-lib';
import { AccessLogFormat } from 'aws-cdk-lib/aws-apigateway';
import {
  CfnIntegration,
  CfnRoute,
  CfnStage,
  HttpStage,
  LogGroupLogDestination,
  ApiMapping,
  DomainName,
  SecurityPolicy,
  type HttpApi,
} from 'aws-cdk-lib/aws-apigatewayv2';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import type { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { Policy, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { Function } from 'aws-cdk-lib/aws-lambda';
import { FilterPattern, LogGroup, MetricFilter, RetentionDays } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { settingVariables } from '../functions/contract/environment.ts';
import type { Route } from '../functions/contract/route.ts';
import type { OwnDomain } from './own-domain.ts';
import { metricsNamespace } from './service-function.ts';
import { throttleOf, throttles, type Throttle } from './throttles.ts';

/** Paths contain ids, and the addresses are patients'. */
const accessLogFields = {
  requestId: '$context.requestId',
  requestTime: '$context.requestTime',
  routeKey: '$context.routeKey',
  status: '$context.status',
  responseLatency: '$context.responseLatency',
  integrationLatency: '$context.integrationLatency',
};

interface PaymentApiProps {
  /** Apart, because the dashboard's distribution needs it, and the functions need the dashboard's URL. */
  readonly httpApi: HttpApi;
  readonly docsUrl: string;
  readonly domain: OwnDomain | undefined;
}

export class PaymentApi extends Construct {
  /** For practices. The API Gateway's own stays open, too. */
  readonly url: string;
  /** Of the DNS record for the domain. */
  readonly domainTarget: string | undefined;
  /** Rejected by the gateway, on routes that exist. */
  readonly throttledRequests: Metric;
  private readonly props: PaymentApiProps;
  /** One for all functions: a permission for each would take a tenth of a stack's resources. */
  private readonly role = new Role(this, 'Role', { assumedBy: new ServicePrincipal('apigateway.amazonaws.com') });
  private readonly stage: HttpStage;
  private readonly routeSettings: Record<string, object> = {};
  private readonly invoking = new PolicyStatement({ actions: ['lambda:InvokeFunction'] });
  /** CDK overestimates the length of ARNs, and would split the role's default policy. */
  private readonly policy = new Policy(this, 'Policy', { roles: [this.role], statements: [this.invoking] });

  constructor(scope: Construct, id: string, props: PaymentApiProps) {
    super(scope, id);
    this.props = props;
    const accessLog = new LogGroup(this, 'AccessLog', { retention: RetentionDays.ONE_MONTH });
    this.throttledRequests = throttledIn(this, accessLog);
    this.stage = new HttpStage(this, 'Stage', {
      httpApi: props.httpApi,
      stageName: '$default',
      autoDeploy: true,
      accessLogSettings: {
        destination: new LogGroupLogDestination(accessLog),
        format: AccessLogFormat.custom(JSON.stringify(accessLogFields)),
      },
    });
    const domainName = props.domain && this.serveAt(props.domain);
    this.url = props.domain ? `https://${props.domain.name}` : props.httpApi.apiEndpoint;
    this.domainTarget = domainName?.regionalDomainName;
    const { defaultChild } = this.stage.node;
    if (defaultChild instanceof CfnStage) defaultChild.routeSettings = Lazy.any({ produce: () => this.routeSettings });
  }

  private serveAt({ name, certificateArn }: OwnDomain): DomainName {
    const domainName = new DomainName(this, 'Domain', {
      domainName: name,
      securityPolicy: SecurityPolicy.TLS_1_2,
      certificate: Certificate.fromCertificateArn(this, 'Certificate', certificateArn),
    });
    new ApiMapping(this, 'Mapping', { api: this.props.httpApi, domainName, stage: this.stage });
    return domainName;
  }

  addRoute(id: string, route: Pick<Route, 'method' | 'path'>, handler: Function): void {
    this.add(id, `${route.method} ${route.path}`, throttleOf(route), handler);
  }

  addDefaultRoute(id: string, handler: Function): void {
    this.add(id, '$default', throttles.other, handler);
  }

  private add(id: string, routeKey: string, { rate, burst }: Throttle, handler: Function): void {
    this.invoking.addResources(handler.functionArn);
    const { httpApi, docsUrl } = this.props;
    const { apiId } = httpApi;
    handler.addEnvironment(settingVariables.docsUrl, docsUrl);
    const integration = new CfnIntegration(this, `${id}Integration`, {
      apiId,
      integrationType: 'AWS_PROXY',
      integrationUri: handler.functionArn,
      payloadFormatVersion: '2.0',
      credentialsArn: this.role.roleArn,
    });
    const target = `integrations/${integration.ref}`;
    const route = new CfnRoute(this, id, { apiId, routeKey, authorizationType: 'NONE', target });
    // Without its permission, a route answers 500.
    route.node.addDependency(this.policy);
    this.routeSettings[routeKey] = { ThrottlingRateLimit: rate, ThrottlingBurstLimit: burst };
    // A stage with settings of a route that does not exist yet is refused.
    this.stage.node.addDependency(route);
    Validations.of(route).acknowledge({
      id: 'AwsSolutions::AwsSolutions-APIG4',
      reason:
        'The function checks the API key, the link token or the signature itself, so a revocation takes effect on the next request.',
    });
  }
}

function throttledIn(scope: Construct, accessLog: LogGroup): Metric {
  const { stringValue } = FilterPattern;
  const filter = new MetricFilter(scope, 'Throttled', {
    logGroup: accessLog,
    filterPattern: FilterPattern.all(
      stringValue('$.status', '=', '429'),
      // A practice's own limit has one.
      stringValue('$.integrationLatency', '=', '-'),
      stringValue('$.routeKey', '!=', '$default'),
    ),
    metricNamespace: metricsNamespace(scope),
    metricName: 'ThrottledRequests',
    metricValue: '1',
  });
  return filter.metric({ statistic: 'Sum', period: Duration.minutes(5) });
}
