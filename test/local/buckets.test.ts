import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { CfnOutput } from 'aws-cdk-lib';
import { HttpApi, HttpMethod } from 'aws-cdk-lib/aws-apigatewayv2';
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations';
import { Distribution } from 'aws-cdk-lib/aws-cloudfront';
import { S3BucketOrigin } from 'aws-cdk-lib/aws-cloudfront-origins';
import { Bucket, type IBucket } from 'aws-cdk-lib/aws-s3';
import { BucketDeployment, Source } from 'aws-cdk-lib/aws-s3-deployment';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runTestStack, stopTestStack, type RunningTestStack } from './test-stack.ts';

let stack: RunningTestStack;
beforeAll(async () => {
  stack = await runTestStack(({ stack, fn, directory }) => {
    const integration = new HttpLambdaIntegration('Integration', fn('Echo', 'return event;'));
    new HttpApi(stack, 'Api').addRoutes({ path: '/', methods: [HttpMethod.GET], integration });
    const site = join(directory, 'site');
    mkdirSync(site);
    writeFileSync(join(site, 'page.html'), 'page.html');
    // CDK's types conflict under exactOptionalPropertyTypes.
    const [kept, other] = [new Bucket(stack, 'Kept') as IBucket, new Bucket(stack, 'Other') as IBucket];
    new BucketDeployment(stack, 'Deployment', { destinationBucket: kept, sources: [Source.asset(site)], prune: false });
    new BucketDeployment(stack, 'OtherDeployment', {
      destinationBucket: other,
      destinationKeyPrefix: 'site',
      sources: [Source.asset(site)],
      prune: false,
    });
    for (const [name, bucket] of Object.entries({ Kept: kept, Other: other })) {
      new Distribution(stack, `${name}Site`, {
        defaultBehavior: { origin: S3BucketOrigin.withOriginAccessControl(bucket) },
      });
      new CfnOutput(stack, `${name}Name`, { value: bucket.bucketName });
    }
  });
});
afterAll(() => stopTestStack(stack));

async function put(bucket: string, Key: string, Body: string): Promise<void> {
  const client = new S3Client({
    endpoint: stack.environment['AWS_ENDPOINT_URL_S3']!,
    region: 'us-east-1',
    credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
    forcePathStyle: true,
  });
  await client.send(
    new PutObjectCommand({
      Bucket: stack.outputs[`${bucket}Name`]!,
      Key,
      Body,
      ContentType: 'image/png',
      CacheControl: 'max-age=5',
    }),
  );
  client.destroy();
}

async function get(bucket: string, path: string): Promise<string> {
  const [, url = ''] = Object.entries(stack.urls).find(([logicalId]) => logicalId.startsWith(`${bucket}Site`)) ?? [];
  const response = await fetch(url + path);
  return `${response.status} ${response.headers.get('content-type')} ${response.headers.get('cache-control')} ${response.ok ? await response.text() : ''}`;
}

it('serves and keeps objects that a deployment did not put there', async () => {
  await put('Kept', 'logos/a b+ü.png', 'logo');
  await put('Kept', 'page.html', 'changed');
  expect(await get('Kept', '/logos/a%20b+%C3%BC.png')).toBe('200 image/png max-age=5 logo');
  expect(await get('Kept', '/page.html')).toBe('200 image/png max-age=5 changed');
  stack = await stack.restart();
  expect(await get('Kept', '/logos/a%20b+%C3%BC.png')).toBe('200 image/png max-age=5 logo');
  expect(await get('Kept', '/page.html')).toBe('200 text/html null page.html');
});

it('never serves another bucket, whatever the path', async () => {
  const name = stack.outputs['OtherName'];
  for (const path of [
    `/%2e%2e/${name}/site/page.html`,
    `/..%2f${name}%2fsite%2fpage.html`,
    `//${name}/site/page.html`,
    '/',
    '/?list-type=2',
    '/%',
  ]) {
    expect((await get('Kept', path)).slice(0, 3)).toBe('403');
  }
});
