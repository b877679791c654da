import * as z from 'zod/mini';
import { openApiRoute } from '../contract/unlisted-routes.ts';
import { apiUrl } from '../environment.ts';
import { handlerOf } from '../http/route-handler.ts';

const document = z.parse(z.looseObject({}), JSON.parse(openApiDocument));
const body = JSON.stringify({ ...document, servers: [{ url: apiUrl() }] });

export const handler = handlerOf(() => ({
  problems: openApiRoute.problems,
  respond: async () => ({
    statusCode: openApiRoute.status,
    headers: {
      'content-type': 'application/json',
      'cache-control': 'public, max-age=300',
      // Browser-based editors and API clients read it. No other response allows that.
      'access-control-allow-origin': '*',
    },
    body,
  }),
}));
