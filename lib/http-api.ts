import { Validations } from 'aws-cdk-lib';
import { AccessLogFormat } from 'aws-cdk-lib/aws-apigateway';
import {
  HttpApi,
  HttpMethod,
  HttpRoute,
  HttpRouteKey,
  HttpStage,
  LogGroupLogDestination,
} from 'aws-cdk-lib/aws-apigatewayv2';
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations';
import type { Function } from 'aws-cdk-lib/aws-lambda';
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import type { Route } from '../functions/contract/route.ts';

/** Paths contain ids, and the addresses are patients'. */
const accessLogFields = {
  requestId: '$context.requestId',
  requestTime: '$context.requestTime',
  routeKey: '$context.routeKey',
  status: '$context.status',
  responseLatency: '$context.responseLatency',
  integrationLatency: '$context.integrationLatency',
};

export class PaymentApi extends Construct {
  readonly api = new HttpApi(this, 'HttpApi', { createDefaultStage: false });

  constructor(scope: Construct, id: string) {
    super(scope, id);
    new HttpStage(this, 'Stage', {
      httpApi: this.api,
      stageName: '$default',
      autoDeploy: true,
      throttle: { rateLimit: 200, burstLimit: 400 },
      accessLogSettings: {
        destination: new LogGroupLogDestination(
          new LogGroup(this, 'AccessLog', { retention: RetentionDays.ONE_MONTH }),
        ),
        format: AccessLogFormat.custom(JSON.stringify(accessLogFields)),
      },
    });
  }

  addRoute(id: string, { method, path }: Pick<Route, 'method' | 'path'>, handler: Function): void {
    this.add(id, HttpRouteKey.with(path, HttpMethod[method]), handler);
  }

  addDefaultRoute(id: string, handler: Function): void {
    this.add(id, HttpRouteKey.DEFAULT, handler);
  }

  private add(id: string, routeKey: HttpRouteKey, handler: Function): void {
    const route = new HttpRoute(this, id, {
      httpApi: this.api,
      routeKey,
      integration: new HttpLambdaIntegration('Integration', handler),
    });
    Validations.of(route).acknowledge({
      id: 'AwsSolutions::AwsSolutions-APIG4',
      reason:
        'The function checks the API key, the link token or the signature itself, so a revocation takes effect on the next request.',
    });
  }
}
