import type * as z from 'zod';
import { practiceHeader, type PracticeRoute } from '../../functions/contract/practice-route.ts';
import { headerName, none, type Route } from '../../functions/contract/route.ts';
import { sandboxPracticeRoutes } from '../../functions/contract/sessions/sandbox-session.ts';
import type { Scope } from '../../functions/domain/practices/api-key.ts';
import { linksFrom } from './links.ts';
import { limitHeaders, problemResponses } from './problems.ts';
import { parameterSchemas, patterns, referenceTo } from './schemas.ts';
import { webhookCallbacks } from './webhooks.ts';

/** Each route as an operation of its path. */
export function pathsOf(routes: Readonly<Record<string, PracticeRoute>>) {
  const byPath = Map.groupBy(Object.entries(routes), ([, { path }]) => path);
  return Object.fromEntries(
    [...byPath].map(([path, ofPath]) => [
      path,
      Object.fromEntries(
        ofPath.map(([name, route]) => [route.method.toLowerCase(), operation(name, route, Object.keys(routes))]),
      ),
    ]),
  );
}

function operation(name: string, route: PracticeRoute, operationIds: readonly string[]) {
  const parameters = [
    ...parametersIn('path', route.params, route.parameters),
    ...parametersIn('query', route.query, route.parameters),
    ...parametersIn('header', route.headers, route.parameters),
    ...practiceParameter(route),
  ];
  return {
    operationId: name,
    tags: [tagOf(name, route)],
    summary: route.summary,
    description: `${route.description}\n\n${scopeWords(route)}`,
    security: [{ apiKey: route.scope === 'any' ? [] : [route.scope] }],
    ...(parameters.length > 0 && { parameters }),
    ...(route.body !== none && {
      requestBody: {
        required: !route.bodyOptional,
        content: { 'application/json': { schema: referenceTo(route.body) } },
      },
    }),
    ...(name === 'createWebhookEndpoint' && { callbacks: webhookCallbacks }),
    responses: {
      [String(route.status)]: {
        description: 'Success.',
        headers: {
          'Request-Id': { $ref: '#/components/headers/RequestId' },
          ...limitHeaders,
          ...flagHeaders(route.responseHeaders),
        },
        content: { 'application/json': { schema: referenceTo(route.response) } },
        ...linksFrom(name, operationIds),
      },
      ...problemResponses(route.problems),
      ...('body_too_large' in route.problems && { 413: { $ref: '#/components/responses/TooLarge' } }),
      429: { $ref: '#/components/responses/Throttled' },
      500: { $ref: '#/components/responses/InternalError' },
      503: { $ref: '#/components/responses/Unavailable' },
    },
  };
}

function scopeWords({ scope }: PracticeRoute): string {
  return scope === 'any' ? 'Takes a key with any scope.' : `Requires the scope \`${scope}\`.`;
}

const tagsByScope: Readonly<Record<Scope | 'any', string>> = {
  any: 'Practice',
  'sessions:read': 'Sessions',
  'sessions:write': 'Sessions',
  'events:read': 'Events',
  'payouts:read': 'Payouts',
  'webhooks:write': 'Webhook endpoints',
  'authorizations:read': 'Sessions',
  'practices:write': 'Platforms',
};

function tagOf(name: string, { scope }: PracticeRoute) {
  if (name in sandboxPracticeRoutes) return 'Sandbox';
  return tagsByScope[scope];
}

function parametersIn(
  place: 'path' | 'query' | 'header',
  part: z.core.$ZodType,
  descriptions: Route['parameters'] = {},
) {
  if (part === none) return [];
  return Object.entries(parameterSchemas(part)).map(([key, schema]) => ({
    name: place === 'header' ? headerName(key) : key,
    in: place,
    ...(place === 'path' && { required: true }),
    description: descriptions[key],
    schema,
  }));
}

function practiceParameter({ platform }: PracticeRoute) {
  if (platform === 'only' || platform === 'itself') return [];
  const otherwise = platform === 'too' ? ' Without it, the call is about the platform.' : '';
  const description = `With a platform's key: the practice that the call is about.${otherwise} A practice's own key takes none.`;
  const schema = { type: 'string', pattern: patterns['practiceId'] };
  return [{ name: headerName(practiceHeader), in: 'header', description, schema }];
}

function flagHeaders(described: Route['responseHeaders'] = {}) {
  const schema = { type: 'string', const: 'true' };
  return Object.fromEntries(Object.entries(described).map(([name, description]) => [name, { description, schema }]));
}
