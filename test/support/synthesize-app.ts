import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { App } from 'aws-cdk-lib';
import { settingsOfApp, synthesizeApp } from '../../lib/build/app.ts';
import { root } from '../../lib/build/build.ts';
import type { Settings } from './apps.ts';

/** Works like `cdk synth`, with all its checks. `functions`: where `buildFunctions` has put them already. */
export async function synthesizeWith(settings: Settings, outdir: string, functions?: string): Promise<void> {
  // The CDK CLI reads it the same way: unless cdk.json says otherwise, it adds AWS::CDK::Metadata.
  const { context, versionReporting = true } = JSON.parse(await readFile(join(root, 'cdk.json'), 'utf8')) as {
    context: Settings;
    versionReporting?: boolean;
  };
  const given = { ...context, 'aws:cdk:version-reporting': versionReporting, region: 'us-east-1', ...settings };
  const app = new App({ outdir, context: given });
  await synthesizeApp(app, settingsOfApp(app, {}), functions);
}
