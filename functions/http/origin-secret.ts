import { originSecretHeader } from '../contract/origin-secret.ts';
import { Problem } from '../contract/problems.ts';
import { equalInConstantTime } from '../domain/identifier.ts';
import { originSecrets } from '../environment.ts';
import type { HttpRequest } from './request.ts';

/** Returns a check that throws unless the request came through the page's distribution. */
export function distributionCheck(): (request: HttpRequest) => void {
  const accepted = originSecrets();
  return ({ headers }) => {
    const sent = headers[originSecretHeader] ?? '';
    const matching = accepted.filter((secret) => equalInConstantTime(secret, sent));
    if (matching.length === 0)
      throw new Problem('wrong_host', "Use the address of the page: the link's host, or the dashboard's.");
  };
}
