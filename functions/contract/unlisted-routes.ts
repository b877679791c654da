import * as z from 'zod/mini';
import { serverProblems } from './problems.ts';
import { takesNothing, type Route } from './route.ts';

/** For monitors: needs no API key, and says nothing about the service. The document does not list it. */
export const healthRoute = {
  ...takesNothing,
  method: 'GET',
  path: '/api/health',
  summary: 'Get the health',
  description: 'Reads a table.',
  status: 200,
  response: z.object({}),
  problems: serverProblems,
} as const satisfies Route;

/** Needs no API key. The document does not list it. */
export const openApiRoute = {
  ...takesNothing,
  method: 'GET',
  path: '/openapi.json',
  summary: 'Get the OpenAPI document',
  description: 'Returns the document of the practice API.',
  status: 200,
  response: z.record(z.string(), z.unknown()),
  problems: {},
} as const satisfies Route;

/** Routes that take a key or a cookie have no HEAD. */
export const openApiHeadRoute = { ...openApiRoute, method: 'HEAD' } as const satisfies Route;
