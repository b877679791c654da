import { SetupError } from './setup-error.ts';

/**
 * Refuses to go on where a client of this process could reach a real AWS endpoint: any endpoint variable must name this
 * machine. Functions do not see these variables at all. Throws SetupError.
 */
export function refuseRealEndpoints(environment: NodeJS.ProcessEnv): void {
  for (const [name, value] of Object.entries(environment)) {
    if (!name.startsWith('AWS_ENDPOINT_URL') || value === undefined || value === '') continue;
    if (!isLoopback(value))
      throw new SetupError(`${name} is not an address of this machine. Unset it, or set it to http://127.0.0.1:PORT.`);
  }
}

function isLoopback(value: string): boolean {
  const url = URL.parse(value);
  return url !== null && ['127.0.0.1', 'localhost', '[::1]'].includes(url.hostname);
}
