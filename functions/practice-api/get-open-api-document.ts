import { openApiRoute } from '../contract/open-api-route.ts';
import { responder } from '../http/route-handler.ts';

export const handler = responder(openApiRoute.problems, async ({ headers }) => {
  const url = `${headers['x-forwarded-proto']}://${headers['host']}`;
  return {
    statusCode: openApiRoute.status,
    headers: { 'content-type': 'application/json', 'cache-control': 'public, max-age=300' },
    body: JSON.stringify({ ...openApiDocument, servers: [{ url }] }),
  };
});
