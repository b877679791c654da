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
