import { Lazy, Validations } from 'aws-cdk-lib';
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
import type { Function } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import type { Route } from '../../functions/contract/route.ts';
import { settingVariables } from '../../functions/contract/environment.ts';
import type { Access, Data } from './data.ts';
import type { Gateway } from './gateway.ts';
import { kebabCase, serviceFunction, type ServiceFunctionProps } from './service-function.ts';
import type { OwnDomain } from '../settings/own-domain.ts';

interface Throttle {
  /** Requests per second. */
  readonly rate: number;
  readonly burst: number;
}

/** Limits per route. All routes together stay below an account's 10,000 requests per second. */
export const throttles = {
  /** Every waiting patient's page polls this route. */
  patientView: { rate: 2000, burst: 2000 },
  patientActions: { rate: 200, burst: 400 },
  /** A new link, another payer's name, a copy: few patients ask for these. */
  rarePatientActions: { rate: 40, burst: 80 },
  /** Enough for five practices at their limit of 100 per second. Each may use its quota of 1,000 per ten seconds at once. */
  practiceSessions: { rate: 500, burst: 4000 },
  practiceEndpoints: { rate: 50, burst: 400 },
  /** For banks that ask for proof. */
  practiceAuthorizations: { rate: 50, burst: 200 },
  /** A vendor manages its practices only now and then. */
  platforms: { rate: 10, burst: 100 },
  /** For accounting software, which polls once a day. */
  practicePayouts: { rate: 10, burst: 100 },
  /** For programs at startup, and for patients who ask to be forgotten. */
  practice: { rate: 10, burst: 100 },
  dashboard: { rate: 34, burst: 70 },
  /** The processor sends its backlog after one of our outages. */
  processor: { rate: 500, burst: 1000 },
  /** For monitors. Each request reads a table. */
  health: { rate: 5, burst: 10 },
  /** The OpenAPI document and unknown paths. */
  other: { rate: 30, burst: 100 },
} as const satisfies Record<string, Throttle>;

/** Leaves out paths, which contain IDs, and addresses, which are patients'. */
const accessLogFields = {
  requestId: '$context.requestId',
  requestTime: '$context.requestTime',
  routeKey: '$context.routeKey',
  status: '$context.status',
  responseLatency: '$context.responseLatency',
  integrationLatency: '$context.integrationLatency',
};

interface PaymentApiProps {
  /** Created elsewhere: the distributions need it, and the functions need the distributions' URLs. */
  readonly httpApi: HttpApi;
  readonly gateway: Gateway;
  readonly docsUrl: string;
  readonly domain?: OwnDomain | undefined;
  /** API Gateway adds them to each event. */
  readonly stageVariables?: Readonly<Record<string, string>>;
}

/** An HTTP API whose routes each have their own throttle. */
export class PaymentApi extends Construct {
  /** API Gateway's default URL stays open too. */
  readonly url: string;
  /** The target of the domain's DNS record. */
  readonly domainTarget: string | undefined;
  readonly stage: HttpStage;
  private readonly props: PaymentApiProps;
  private readonly routeSettings: Record<string, object> = {};
  private readonly integrations = new Map<Function, CfnIntegration>();

  constructor(scope: Construct, id: string, props: PaymentApiProps) {
    super(scope, id);
    this.props = props;
    this.stage = new HttpStage(this, 'Stage', {
      httpApi: props.httpApi,
      stageName: '$default',
      autoDeploy: true,
      ...(props.stageVariables && { stageVariables: props.stageVariables }),
      accessLogSettings: {
        destination: new LogGroupLogDestination(props.gateway.accessLog),
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

  addRoute(id: string, { method, path }: Pick<Route, 'method' | 'path'>, throttle: Throttle, handler: Function): void {
    this.add(id, `${method} ${path}`, throttle, handler);
  }

  addDefaultRoute(id: string, handler: Function): void {
    this.add(id, '$default', throttles.other, handler);
  }

  private add(id: string, routeKey: string, { rate, burst }: Throttle, handler: Function): void {
    const { httpApi, gateway } = this.props;
    const integration = this.integrations.get(handler) ?? this.integrate(id, handler);
    const { apiId } = httpApi;
    const target = `integrations/${integration.ref}`;
    const route = new CfnRoute(this, id, { apiId, routeKey, authorizationType: 'NONE', target });
    route.node.addDependency(gateway.policy);
    this.routeSettings[routeKey] = { ThrottlingRateLimit: rate, ThrottlingBurstLimit: burst };
    // API Gateway refuses a stage with settings for a route that does not exist yet.
    this.stage.node.addDependency(route);
    Validations.of(route).acknowledge({
      id: 'AwsSolutions::AwsSolutions-APIG4',
      reason:
        'The function checks the API key, the link token or the signature itself, so a revocation takes effect on the next request.',
    });
  }

  /** Named after the function's first route. */
  private integrate(id: string, handler: Function): CfnIntegration {
    const { httpApi, gateway, docsUrl } = this.props;
    // Until the role may invoke the function, its routes answer 500: routes and integrations wait for the policy.
    gateway.allowInvoking(handler.functionArn);
    handler.addEnvironment(settingVariables.docsUrl, docsUrl);
    const integration = new CfnIntegration(this, `${id}Integration`, {
      apiId: httpApi.apiId,
      integrationType: 'AWS_PROXY',
      integrationUri: handler.functionArn,
      payloadFormatVersion: '2.0',
      credentialsArn: gateway.role.roleArn,
    });
    integration.node.addDependency(gateway.policy);
    this.integrations.set(handler, integration);
    return integration;
  }
}

export interface RouteOptions extends Pick<ServiceFunctionProps, 'environment' | 'identity' | 'timeout'> {
  readonly throttle: Throttle;
  /** The folder within `entries` that has the route's file, which is named after the route. */
  readonly folder?: '' | 'live/' | 'sandbox/';
  /** In addition to what every route reads. */
  readonly access?: Access;
}

interface Routes {
  readonly data: Data;
  readonly api: PaymentApi;
  /** A folder of `functions/`. */
  readonly entries: string;
  /** What every route reads. */
  readonly reads: Access;
}

/** Adds routes by their names in the contract, each with its own function. */
export function routesIn<Name extends string>(
  scope: Construct,
  { data, api, entries, reads }: Routes,
  declared: Readonly<Record<Name, Route>>,
) {
  return (name: Name, { throttle, folder = '', access = {}, ...options }: RouteOptions): Function => {
    const id = name.charAt(0).toUpperCase() + name.slice(1);
    const handler = serviceFunction(scope, id, { file: `${entries}/${folder}${kebabCase(name)}`, ...options });
    api.addRoute(id, declared[name], throttle, handler);
    data.grant(handler, reads);
    data.grant(handler, access);
    return handler;
  };
}
