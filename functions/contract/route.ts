import * as z from 'zod/mini';

export interface Route<Body extends z.ZodMiniType = z.ZodMiniType, Response extends z.ZodMiniType = z.ZodMiniType> {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body: Body;
  /** The query parameters; a route without them ignores any. */
  readonly query?: z.ZodMiniType;
  /** The status of success, and what its body holds. */
  readonly status: 200 | 201;
  readonly response: Response;
}

/** The body of a route that takes none; one that comes all the same is not read. */
export const noBody = z.undefined();
