import { describe, expect, test } from 'vitest';
import { routesOf } from '../../lib/build/routes.ts';
import { at, named, target, stages, type Resource } from './stacks.ts';

const pages = ['HostedPage', 'Dashboard'];

interface DistributionConfig {
  DefaultCacheBehavior: object;
  CacheBehaviors: { PathPattern: string }[];
  CustomErrorResponses?: unknown;
  WebACLId?: unknown;
}

describe.each(stages)(
  'the API and the pages of the $stage stack',
  ({ stage, resources, outputs, all, functions, statementsOf }) => {
    const configOf = (page: string) =>
      at(named(resources, `${page}Distribution`).Properties, 'DistributionConfig') as DistributionConfig;

    test('account-wide names include the region, so a stage can be deployed to two', () => {
      const namesOf = (type: string, config: string) =>
        all(type).map(({ Properties }) => at(Properties, config, 'Name'));
      const names = [
        ...namesOf('AWS::CloudFront::ResponseHeadersPolicy', 'ResponseHeadersPolicyConfig'),
        ...namesOf('AWS::CloudFront::OriginAccessControl', 'OriginAccessControlConfig'),
      ];
      expect(names).toHaveLength(4);
      for (const name of names) expect(name).toMatch(/-(HostedPage|Dashboard)-us-east-1$/);
    });

    test('every route of the contract exists, and has a function of its own, which routes of an area of the dashboard share', () => {
      const routes = all('AWS::ApiGatewayV2::Route');
      const contract = routesOf(stage === 'sandbox' ? 'sandbox' : 'live').map(
        ({ method, path }) => `${method} ${path}`,
      );
      const onBoth = ['$default', 'GET /openapi.json', 'HEAD /openapi.json'];
      const withFunctionOfAnother = ['HEAD /openapi.json'];
      expect(routes.map(({ Properties }) => Properties['RouteKey']).sort()).toEqual(
        [...contract, '$default', ...onBoth].sort(),
      );
      const handlerOf = ({ Properties }: Resource) => {
        const integration = named(
          resources,
          (at(Properties, 'Target', 'Fn::Join') as [string, [string, { Ref: string }]])[1][1].Ref,
        );
        return target(integration.Properties['IntegrationUri']);
      };
      const [staffs, others] = [true, false].map((isStaffs) =>
        routes.filter(({ Properties }) => String(Properties['RouteKey']).includes('/api/dashboard/') === isStaffs),
      ) as [Resource[], Resource[]];
      expect(new Set(others.map(handlerOf)).size).toBe(others.length - onBoth.length - withFunctionOfAnother.length);
      const areas = Map.groupBy(staffs, handlerOf);
      expect([...areas.keys()].map((id) => id.replace(/[0-9A-F]{8}$/, '')).sort()).toEqual(
        [
          'Authorization',
          'CancelSession',
          'Deliveries',
          'Endpoints',
          'Home',
          'Keys',
          'Me',
          'RefundSession',
          'Sessions',
          'Settings',
          'SignIn',
          'Team',
          ...(stage === 'sandbox' ? ['TestBank'] : ['GoingLive', 'Payouts']),
        ]
          .map((area) => `DashboardApi${area}`)
          .sort(),
      );
    });

    test("the pages' routes have an API of their own, which nobody but the distributions knows", () => {
      const routesAt = (api: string) =>
        all('AWS::ApiGatewayV2::Route')
          .filter(({ Properties }) => target(Properties['ApiId']) === named(resources, api).id)
          .map(({ Properties }) => String(Properties['RouteKey']));
      const areas = (api: string) => new Set(routesAt(api).map((key) => /\/api\/(\w+)\//.exec(`${key}/`)?.[1] ?? key));
      const shared = ['GET /openapi.json', 'HEAD /openapi.json', '$default'];
      expect(areas('PagesHttpApi')).toEqual(new Set(['patient', 'dashboard', ...shared]));
      const processor = stage === 'production' ? ['processor'] : [];
      expect(areas('HttpApi')).toEqual(new Set(['practice', 'platform', ...processor, 'health', ...shared]));

      const pagesApi = named(resources, 'PagesHttpApi').id;
      for (const told of [outputs, functions]) expect(JSON.stringify(told)).not.toContain(pagesApi);
      for (const page of pages) expect(JSON.stringify(configOf(page))).toContain(pagesApi);
    });

    test('the API invokes its functions in a role that may do nothing else', () => {
      const role = named(all('AWS::IAM::Role'), 'GatewayRole');
      expect(JSON.stringify(role.Properties['AssumeRolePolicyDocument'])).toContain('apigateway.amazonaws.com');
      const integrations = all('AWS::ApiGatewayV2::Integration').map(({ Properties }) => Properties);
      for (const { CredentialsArn } of integrations) expect(target(CredentialsArn)).toBe(role.id);
      const [invoking, ...others] = statementsOf(role.id);
      expect(invoking).toMatchObject({ Effect: 'Allow', Action: 'lambda:InvokeFunction' });
      expect(others).toEqual([]);
      // With gradual deploys, some are called through their alias.
      const functionOf = (arn: unknown) => /"(\w+)","Arn"\]\},":live"/.exec(JSON.stringify(arn))?.[1] ?? target(arn);
      const invoked = [invoking?.Resource].flat().map(functionOf);
      expect(new Set(invoked)).toEqual(new Set(integrations.map(({ IntegrationUri }) => functionOf(IntegrationUri))));
      // IAM's limit for a role's policy. A quoted ARN has at most 119 characters.
      expect(invoked.length * 119).toBeLessThan(10_240);
    });

    test('every route has a throttle of its own, and all together stay below the quota of an account', () => {
      const limits = all('AWS::ApiGatewayV2::Stage').flatMap(({ Properties, DependsOn }) => {
        const { ApiId, RouteSettings, DefaultRouteSettings } = Properties as {
          ApiId: unknown;
          RouteSettings: Record<string, { ThrottlingRateLimit: number; ThrottlingBurstLimit: number }>;
          DefaultRouteSettings?: object;
        };
        expect(DefaultRouteSettings, 'would be shared').toBeUndefined();
        const routes = all('AWS::ApiGatewayV2::Route').filter(
          (route) => target(route.Properties['ApiId']) === target(ApiId),
        );
        const keys = routes.map((route) => route.Properties['RouteKey']);
        expect(Object.keys(RouteSettings).sort()).toEqual(keys.sort());
        expect([DependsOn].flat(), 'a stage with settings of no route is refused').toEqual(
          expect.arrayContaining(routes.map(({ id }) => id)),
        );
        return Object.values(RouteSettings);
      });
      const total = limits.reduce((sum, { ThrottlingRateLimit }) => sum + ThrottlingRateLimit, 0);
      expect(total).toBeLessThan(9500);
      for (const { ThrottlingRateLimit: rate, ThrottlingBurstLimit: burst } of limits) {
        expect(rate).toBeGreaterThan(0);
        expect(burst).toBeGreaterThanOrEqual(rate);
        expect(burst).toBeLessThanOrEqual(5000);
      }
    });

    test('AWS delivers access logs only to groups that need no entry in the policy of the account', () => {
      const delivered = [
        ...all('AWS::ApiGatewayV2::Stage').map(({ Properties }) =>
          at(Properties, 'AccessLogSettings', 'DestinationArn'),
        ),
        ...all('AWS::Logs::DeliveryDestination').map(({ Properties }) => Properties['DestinationResourceArn']),
      ];
      const groups = all('AWS::Logs::LogGroup').filter(({ id }) => JSON.stringify(delivered).includes(`"${id}"`));
      expect(groups.map(({ id }) => id.replace(/[0-9A-F]{8}$/, '')).sort()).toEqual(
        ['Dashboard', 'Gateway', 'HostedPage'].map((owner) => `${owner}AccessLog`),
      );
      const names = groups.map(({ Properties }) => JSON.stringify(Properties['LogGroupName']));
      expect(new Set(names).size).toBe(3);
      for (const name of names) {
        expect(name).toContain(
          `"/aws/vendedlogs/PatientInvoicePayment${stage === 'sandbox' ? 'Sandbox' : 'Production'}`,
        );
        // A deleted stack leaves its logs, and another one can follow.
        expect(name).toContain('AWS::StackId');
      }
    });

    test('the API does not log paths, queries or addresses', () => {
      const formats = all('AWS::ApiGatewayV2::Stage').map(({ Properties }) =>
        at(Properties, 'AccessLogSettings', 'Format'),
      );
      const [format, ...others] = new Set(formats);
      expect([formats.length, others]).toEqual([2, []]);
      const variables = String(format).match(/\$context[\w.]+/g);
      expect(variables?.sort()).toEqual([
        '$context.integrationLatency',
        '$context.requestId',
        '$context.requestTime',
        '$context.responseLatency',
        '$context.routeKey',
        '$context.status',
      ]);
    });

    test.each(pages)(
      'the distribution of the %s does not log paths, queries, referrers, cookies or addresses',
      (page) => {
        const fields = named(resources, `${page}AccessLogDelivery`).Properties['RecordFields'] as string[];
        expect(fields.length).toBeGreaterThan(0);
        for (const secret of ['cs-uri-stem', 'cs-uri-query', 'cs(Referer)', 'cs(Cookie)', 'c-ip', 'x-forwarded-for'])
          expect(fields).not.toContain(secret);
      },
    );

    test.each(pages)('every response of the %s has the strict security headers', (page) => {
      const config = configOf(page);
      for (const behavior of [config.DefaultCacheBehavior, ...config.CacheBehaviors]) {
        expect(behavior).toMatchObject({
          ResponseHeadersPolicyId: { Ref: named(resources, `${page}SecurityHeaders`).id },
          ViewerProtocolPolicy: 'redirect-to-https',
        });
      }
      const headers = at(
        named(resources, `${page}SecurityHeaders`).Properties,
        'ResponseHeadersPolicyConfig',
      ) as object;
      expect(headers).toMatchObject({
        SecurityHeadersConfig: {
          StrictTransportSecurity: { AccessControlMaxAgeSec: 63_072_000, IncludeSubdomains: true },
          ReferrerPolicy: {
            ReferrerPolicy: page === 'HostedPage' && stage === 'production' ? 'strict-origin' : 'no-referrer',
          },
          FrameOptions: { FrameOption: 'DENY' },
          ContentTypeOptions: { Override: true },
        },
        CustomHeadersConfig: {
          Items: expect.arrayContaining([
            expect.objectContaining({ Header: 'X-Robots-Tag', Value: 'noindex, nofollow' }),
          ]),
        },
      });
    });

    test.each([
      ['HostedPage', '/api/patient/*', ['/api/patient/*']],
      ['Dashboard', '/api/dashboard/*', ['/api/dashboard/*', '/logos/*', '/openapi.json']],
    ])('the %s reaches only its own part of the API, uncached', (page, apiPath, patterns) => {
      const { CacheBehaviors } = configOf(page);
      expect(CacheBehaviors.map(({ PathPattern }) => PathPattern).sort()).toEqual(patterns);
      expect(CacheBehaviors.find(({ PathPattern }) => PathPattern === apiPath)).toMatchObject({
        CachePolicyId: '4135ea2d-6df8-44a3-9df3-4b5a84be39ad', // CachingDisabled
        OriginRequestPolicyId: 'b689b0a8-53d0-40ab-baf2-68738e2966ac', // AllViewerExceptHostHeader
        AllowedMethods: expect.arrayContaining(['GET', 'POST']) as string[],
        FunctionAssociations: [
          { FunctionARN: { 'Fn::GetAtt': [named(resources, `${page}NameViewer`).id, 'FunctionARN'] } },
        ],
      });
    });

    test.each(pages)('no error of the %s is cached or replaced by a page', (page) => {
      expect(configOf(page).CustomErrorResponses).toEqual(
        [404, 405, 414, 500, 501, 502, 503, 504].map((ErrorCode) => ({ ErrorCode, ErrorCachingMinTTL: 0 })),
      );
    });

    test.each(pages)(
      'the API behind the %s accepts the secret that it sends and the next one, and is updated after it',
      (page) => {
        const [start, end] = ['{{resolve:secretsmanager:', ':SecretString:::}}'];
        const secret = (number: number) => {
          const { id, Properties } = named(all('AWS::SecretsManager::Secret'), `OriginSecret${number}`);
          expect(Properties).toMatchObject({ GenerateSecretString: { PasswordLength: 48 } });
          return { Ref: id };
        };
        const { Origins } = configOf(page) as unknown as { Origins: { OriginCustomHeaders?: object[] }[] };
        expect(Origins.flatMap(({ OriginCustomHeaders = [] }) => OriginCustomHeaders)).toEqual([
          { HeaderName: 'x-origin-secret', HeaderValue: { 'Fn::Join': ['', [start, secret(1), end]] } },
        ]);
        expect(outputs['OriginSecretNumber']?.Value).toBe('1');
        const accepted = [start, secret(1), `${end},${start}`, secret(2), end];
        const { Properties, DependsOn = [] } = named(all('AWS::ApiGatewayV2::Stage'), 'PagesApi');
        expect(at(Properties, 'StageVariables')).toEqual({ originSecrets: { 'Fn::Join': ['', accepted] } });
        expect(DependsOn).toContain(named(resources, `${page}Distribution`).id);
      },
    );

    test('routes and integrations wait for the permission to call their function', () => {
      const policy = named(resources, 'GatewayPolicy').id;
      const waiting = [...all('AWS::ApiGatewayV2::Integration'), ...all('AWS::ApiGatewayV2::Route')];
      for (const { id, DependsOn } of waiting) expect([id, DependsOn].flat()).toContain(policy);
      const roles = all('AWS::ApiGatewayV2::Integration').map(({ Properties }) => target(Properties['CredentialsArn']));
      const [role] = named(resources, policy).Properties['Roles'] as unknown[];
      expect([...new Set(roles)]).toEqual([target(role)]);
    });

    test.each(pages)('the %s is replaced after its API', (page) => {
      const { DependsOn = [] } = named(resources, `${page}IndexCustomResource`);
      expect(DependsOn).toContain(named(resources, 'PagesApiStage').id);
    });

    // CloudFormation refuses a template with more than 60.
    test('the template has few dynamic references', () => {
      const count = JSON.stringify(resources).split('{{resolve:').length - 1;
      expect([count > 0, count < 40]).toEqual([true, true]);
    });

    test.each(pages)('the bucket of the %s is private', (page) => {
      expect(at(named(resources, `${page}Bucket`).Properties, 'PublicAccessBlockConfiguration')).toEqual({
        BlockPublicAcls: true,
        BlockPublicPolicy: true,
        IgnorePublicAcls: true,
        RestrictPublicBuckets: true,
      });
    });

    test('a web ACL counts the requests of an address to the API of production, below the throttle of every route', () => {
      const webAcls = all('AWS::WAFv2::WebACL');
      expect(webAcls).toHaveLength(stage === 'production' ? 1 : 0);
      const expected = stage === 'production' ? { 'Fn::GetAtt': [webAcls[0]?.id, 'Arn'] } : undefined;
      for (const page of pages) expect(configOf(page).WebACLId).toEqual(expected);
      const requests: number[] = [];
      for (const { Properties } of webAcls) {
        expect(Properties).toMatchObject({ Scope: 'CLOUDFRONT', DefaultAction: { Allow: {} } });
        expect(JSON.stringify(Properties), 'a sample would show tokens').not.toContain('"SampledRequestsEnabled":true');
        const [rule, ...others] = Properties['Rules'] as object[];
        expect(others).toEqual([]);
        const counted = at(rule, 'Statement', 'RateBasedStatement') as { Limit: number; EvaluationWindowSec: number };
        expect(at(counted, 'ScopeDownStatement', 'ByteMatchStatement', 'SearchString')).toBe('/api/');
        requests.push(counted.Limit / counted.EvaluationWindowSec);
      }
      const settings = named(resources, 'PagesApiStage').Properties['RouteSettings'] as object;
      const slowest = Math.min(
        ...Object.entries(settings)
          .filter(([key]) => /\/api\/(patient|dashboard)/.test(key))
          .map(([, { ThrottlingRateLimit }]) => ThrottlingRateLimit as number),
      );
      for (const each of requests) expect(each).toBeLessThan(slowest);
    });

    test('no function sends webhooks to loopback addresses', () => {
      const { Properties } = named(functions, 'WebhooksSendWebhook');
      expect(at(Properties, 'Environment', 'Variables')).toMatchObject({ ALLOW_LOOPBACK_WEBHOOKS: 'false' });
    });
  },
);
