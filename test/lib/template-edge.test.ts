import { describe, expect, test } from 'vitest';
import { patientRoutes } from '../../functions/contract/patient-routes.ts';
import { practiceRoutes } from '../../functions/contract/practice-routes.ts';
import { at, named, target, stages } from './stacks.ts';

describe.each(stages)('the API and the hosted page of the $stage stack', ({ resources, all, functions }) => {
  test('account-wide names include the region, so a stage can be deployed to two', () => {
    const [policy, control] = [
      all('AWS::CloudFront::ResponseHeadersPolicy'),
      all('AWS::CloudFront::OriginAccessControl'),
    ];
    for (const { Properties } of [...policy, ...control]) {
      expect(
        at(Properties, 'ResponseHeadersPolicyConfig', 'Name') ?? at(Properties, 'OriginAccessControlConfig', 'Name'),
      ).toContain('us-east-1');
    }
    expect(policy.length + control.length).toBe(2);
  });

  test('every route of the contract has its own function, as has the default route', () => {
    const routes = all('AWS::ApiGatewayV2::Route');
    const contract = [...Object.values(practiceRoutes), ...Object.values(patientRoutes)].map(
      ({ method, path }) => `${method} ${path}`,
    );
    expect(routes.map(({ Properties }) => Properties['RouteKey']).sort()).toEqual([...contract, '$default'].sort());
    const handlers = routes.map(({ Properties }) => {
      const integration = named(
        resources,
        (at(Properties, 'Target', 'Fn::Join') as [string, [string, { Ref: string }]])[1][1].Ref,
      );
      return target(integration.Properties['IntegrationUri']);
    });
    expect(new Set(handlers).size).toBe(routes.length);
  });

  test('the API does not log paths, queries or addresses', () => {
    const format = at(named(resources, 'ApiStage').Properties, 'AccessLogSettings', 'Format');
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

  test('the distribution does not log paths, queries, referrers, cookies or addresses', () => {
    const fields = named(resources, 'HostedPageAccessLogDelivery').Properties['RecordFields'] as string[];
    expect(fields.length).toBeGreaterThan(0);
    for (const secret of ['cs-uri-stem', 'cs-uri-query', 'cs(Referer)', 'cs(Cookie)', 'c-ip', 'x-forwarded-for'])
      expect(fields).not.toContain(secret);
  });

  test('every response of the distribution has the strict security headers', () => {
    const [distribution] = all('AWS::CloudFront::Distribution');
    const config = at(distribution?.Properties, 'DistributionConfig') as {
      DefaultCacheBehavior: object;
      CacheBehaviors: object[];
      CustomErrorResponses?: unknown;
    };
    for (const behavior of [config.DefaultCacheBehavior, ...config.CacheBehaviors]) {
      expect(behavior).toMatchObject({
        ResponseHeadersPolicyId: { Ref: named(resources, 'HostedPageSecurityHeaders').id },
        ViewerProtocolPolicy: 'redirect-to-https',
      });
    }
    expect(config.CustomErrorResponses).toBeUndefined();
    const headers = at(
      named(resources, 'HostedPageSecurityHeaders').Properties,
      'ResponseHeadersPolicyConfig',
    ) as object;
    const policy = String(at(headers, 'SecurityHeadersConfig', 'ContentSecurityPolicy', 'ContentSecurityPolicy'));
    expect(policy).toMatch(/^default-src 'none';/);
    expect(policy).not.toMatch(/unsafe|https?:|\*/);
    expect(headers).toMatchObject({
      SecurityHeadersConfig: {
        StrictTransportSecurity: { AccessControlMaxAgeSec: 63_072_000, IncludeSubdomains: true },
        ReferrerPolicy: { ReferrerPolicy: 'no-referrer' },
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

  test("the page's bucket is private", () => {
    const [bucket, ...others] = all('AWS::S3::Bucket');
    expect(others).toEqual([]);
    expect(at(bucket?.Properties, 'PublicAccessBlockConfiguration')).toEqual({
      BlockPublicAcls: true,
      BlockPublicPolicy: true,
      IgnorePublicAcls: true,
      RestrictPublicBuckets: true,
    });
  });

  test('no function sends webhooks to loopback addresses', () => {
    const { Properties } = named(functions, 'WebhooksSendWebhook');
    expect(at(Properties, 'Environment', 'Variables')).toMatchObject({ ALLOW_LOOPBACK_WEBHOOKS: 'false' });
  });
});
