import * as z from 'zod/mini';
import type { Problems } from './problems.ts';

type Schema = z.ZodMiniType;

export interface Route {
  readonly method: 'GET' | 'HEAD' | 'POST' | 'DELETE';
  readonly path: string;
  readonly summary: string;
  readonly description: string;
  readonly params: Schema;
  readonly query: Schema;
  /** Names are in lower case. `authorization` is not among them. */
  readonly headers: Schema;
  readonly body: Schema;
  /** A request without a body is read as `{}`. */
  readonly bodyOptional?: true;
  /** 16 KiB if absent. */
  readonly maximumBodyBytes?: number;
  readonly status: 200 | 201 | 302;
  readonly response: Schema;
  readonly parameters?: Readonly<Record<string, string>>;
  readonly responseHeaders?: Readonly<Record<string, string>>;
  /** Throwing any other Problem is an internal error. */
  readonly problems: Problems;
}

export const none = z.undefined();
export const takesNothing = { params: none, query: none, headers: none, body: none } as const;

export function headerName(lowerCase: string): string {
  return lowerCase.replaceAll(/\b[a-z]/g, (letter) => letter.toUpperCase());
}
