import { STSClient } from '@aws-sdk/client-sts';

interface Shell {
  /** The region from the settings or the environment. */
  readonly region: string | undefined;
  readonly profile: string | undefined;
}

/** Like CDK, falls back to the profile's region, then to us-east-1. */
export async function regionOf({ region, profile }: Shell): Promise<string> {
  return region ?? (await profileRegion(profile)) ?? 'us-east-1';
}

export async function shellRegion(environment: NodeJS.ProcessEnv): Promise<string | undefined> {
  return variableRegion(environment) ?? (await profileRegion(undefined));
}

/** Goes before a command to copy, which uses the shell's region: empty if that is `region`. */
export async function regionPrefix(region: string, environment: NodeJS.ProcessEnv): Promise<string> {
  return region === (await shellRegion(environment)) ? '' : `AWS_REGION=${region} `;
}

/** Reads both variables, like the AWS CLI and CDK. The SDK reads only the first. */
export function variableRegion(environment: NodeJS.ProcessEnv): string | undefined {
  return environment['AWS_REGION'] ?? environment['AWS_DEFAULT_REGION'];
}

function profileRegion(profile: string | undefined): Promise<string | undefined> {
  return new STSClient({ ...(profile && { profile }) }).config.region().catch(() => undefined);
}
