import { SetupError } from './setup-error.ts';

const variable = 'AWS_ENDPOINT_URL_DYNAMODB';

/** The endpoint of a database that the user runs on this machine. Throws SetupError if nothing answers there. */
export async function givenDatabase(environment: NodeJS.ProcessEnv): Promise<string | undefined> {
  const given = environment[variable];
  if (given === undefined || given === '') return undefined;
  if (!(await answers(given, 5000)))
    throw new SetupError(`Nothing answers at ${given}. Start what should run there, or unset ${variable}.`);
  return given.replace(/\/$/, '');
}

async function answers(endpoint: string, milliseconds = 500): Promise<boolean> {
  try {
    await fetch(endpoint, { signal: AbortSignal.timeout(milliseconds) });
    return true;
  } catch {
    return false;
  }
}

/** Throws SetupError if an `AWS_ENDPOINT_URL` variable names another machine. */
export function refuseRealEndpoints(environment: NodeJS.ProcessEnv): void {
  for (const [name, value] of Object.entries(environment)) {
    if (!name.startsWith('AWS_ENDPOINT_URL') || value === undefined || value === '') continue;
    if (!isLoopback(value))
      throw new SetupError(`${name} is not an address of this machine. Unset it, or set it to http://127.0.0.1:PORT.`);
  }
}

function isLoopback(value: string): boolean {
  const url = URL.parse(value);
  if (url === null) return false;
  // Names under localhost are this machine's too: RFC 6761, 6.3.
  return ['127.0.0.1', '[::1]'].includes(url.hostname) || /(^|\.)localhost$/.test(url.hostname);
}
