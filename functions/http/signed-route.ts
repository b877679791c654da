import type { Route } from '../contract/route.ts';
import { bodyBytes } from './json-body.ts';
import type { HttpRequest } from './request.ts';
import { handlerOf } from './route-handler.ts';

interface SignedCall {
  /** Exactly as sent: the signature is over these bytes. */
  readonly body: Buffer;
  readonly headers: HttpRequest['headers'];
}

/** For servers that sign what they send. Responds without a body. */
export function signedRoute(route: Route, receive: (call: SignedCall, now: number) => Promise<void>) {
  return handlerOf(() => ({
    problems: route.problems,
    async respond(request) {
      await receive({ body: bodyBytes(request), headers: request.headers }, Date.now());
      return { statusCode: route.status, headers: {}, body: '' };
    },
  }));
}
