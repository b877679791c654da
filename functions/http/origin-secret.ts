import { originSecretHeader, originSecretSeparator } from '../contract/origin-secret.ts';
import { Problem } from '../contract/problem.ts';
import { equalInConstantTime } from '../domain/identifier.ts';
import type { HttpRequest } from './request.ts';

/**
 * Passes a request on to `act` only if it came through a page's distribution. Throws a Problem otherwise, and an Error if
 * the stage has no secrets to compare with.
 */
export function requireDistribution<Rest extends readonly unknown[], Result>(
  act: (request: HttpRequest, ...rest: Rest) => Promise<Result>,
): (request: HttpRequest, ...rest: Rest) => Promise<Result> {
  return async (request, ...rest) => {
    const accepted = request.stageVariables?.originSecrets?.split(originSecretSeparator);
    if (!accepted) throw new Error('the stage has no origin secrets');
    const sent = request.headers[originSecretHeader] ?? '';
    const matching = accepted.filter((secret) => equalInConstantTime(secret, sent));
    if (matching.length === 0)
      throw new Problem('wrong_host', "Use the address of the page: the link's host, or the dashboard's.");
    return act(request, ...rest);
  };
}
