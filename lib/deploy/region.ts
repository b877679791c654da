import { STSClient } from '@aws-sdk/client-sts';

interface Shell {
  /** Of the settings or the environment. */
  readonly region: string | undefined;
  readonly profile: string | undefined;
}

/** As CDK: else the profile's, else us-east-1. */
export async function regionOf({ region, profile }: Shell): Promise<string> {
  return region ?? (await new STSClient({ ...(profile && { profile }) }).config.region().catch(() => 'us-east-1'));
}
