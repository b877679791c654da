import { SetupError } from './setup-error.ts';

/** The endpoint of a service that the user runs on this machine. Throws SetupError if nothing answers there. */
export async function givenEndpoint(
  environment: NodeJS.ProcessEnv,
  variable: 'AWS_ENDPOINT_URL_DYNAMODB' | 'AWS_ENDPOINT_URL_SQS',
): Promise<string | undefined> {
  const given = environment[variable];
  if (given === undefined || given === '') return undefined;
  if (!(await answers(given, 5000)))
    throw new SetupError(`Nothing answers at ${given}. Start what should run there, or unset ${variable}.`);
  return given.replace(/\/$/, '');
}

export async function answers(endpoint: string, milliseconds = 500): Promise<boolean> {
  try {
    await fetch(endpoint, { signal: AbortSignal.timeout(milliseconds) });
    return true;
  } catch {
    return false;
  }
}
