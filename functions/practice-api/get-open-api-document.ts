import { openApiRoute } from '../contract/open-api-route.ts';
import { apiUrl } from '../environment.ts';
import { responder } from '../http/route-handler.ts';

const body = JSON.stringify({ ...openApiDocument, servers: [{ url: apiUrl() }] });

export const handler = responder(openApiRoute.problems, async () => ({
  statusCode: openApiRoute.status,
  headers: { 'content-type': 'application/json', 'cache-control': 'public, max-age=300' },
  body,
}));
