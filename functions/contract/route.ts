import * as z from 'zod/mini';
import type { ProblemCode } from './problems.ts';

type Schema = z.ZodMiniType;

/** All that an HTTP route takes and answers: what `http/` parses, what the API Gateway routes by, and what the OpenAPI document says. */
export interface Route<
  Params extends Schema = Schema,
  Query extends Schema = Schema,
  Headers extends Schema = Schema,
  Body extends Schema = Schema,
  Response extends Schema = Schema,
> {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly summary: string;
  readonly description: string;
  readonly params: Params;
  readonly query: Query;
  /** By lower-case name. The header that authenticates the caller is not among them. */
  readonly headers: Headers;
  readonly body: Body;
  /** The status of a success, and its body. */
  readonly status: 200 | 201;
  readonly response: Response;
  /** Headers that only this route's success may have, with their descriptions. */
  readonly responseHeaders?: Readonly<Record<string, string>>;
  readonly problems: readonly ProblemCode[];
}

/** For a part of the request that a route does not read; whatever comes there is ignored. */
export const none = z.undefined();
export const takesNothing = { params: none, query: none, headers: none, body: none } as const;
