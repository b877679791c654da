import * as z from 'zod/mini';
import type { Problems } from './problems.ts';

type Schema = z.ZodMiniType;

/** An HTTP route: what `http/` parses, what API Gateway routes and what the OpenAPI document describes. */
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
  /** By lower-case name, without `authorization`. */
  readonly headers: Headers;
  readonly body: Body;
  readonly status: 200 | 201;
  readonly response: Response;
  /** Descriptions of the path, query and header parameters, by name. */
  readonly parameters?: Readonly<Record<string, string>>;
  /** Descriptions of the extra headers on success, by name. */
  readonly responseHeaders?: Readonly<Record<string, string>>;
  /** The problems of its own; any other is an internal error. */
  readonly problems: Problems;
}

/** The schema of a part of the request that a route ignores. */
export const none = z.undefined();
export const takesNothing = { params: none, query: none, headers: none, body: none } as const;

/** A lower-case header name as docs spell it: `idempotency-key` becomes `Idempotency-Key`. */
export function headerName(lowerCase: string): string {
  return lowerCase.replaceAll(/\b[a-z]/g, (letter) => letter.toUpperCase());
}
