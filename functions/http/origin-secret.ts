import { originSecretHeader } from '../contract/origin-secret.ts';
import { Problem } from '../contract/problems.ts';
import { equalInConstantTime } from '../domain/identifier.ts';
import { originSecrets } from '../environment.ts';
import type { HttpRequest } from './request.ts';

/** Passes a request on to `act` only if it came through a page's distribution. Throws a Problem otherwise. */
export function requireDistribution<Rest extends readonly unknown[], Result>(
  act: (request: HttpRequest, ...rest: Rest) => Promise<Result>,
): (request: HttpRequest, ...rest: Rest) => Promise<Result> {
  const accepted = originSecrets();
  return async (request, ...rest) => {
    const sent = request.headers[originSecretHeader] ?? '';
    const matching = accepted.filter((secret) => equalInConstantTime(secret, sent));
    if (matching.length === 0)
      throw new Problem('wrong_host', "Use the address of the page: the link's host, or the dashboard's.");
    return act(request, ...rest);
  };
}
