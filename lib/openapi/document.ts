import * as z from 'zod/mini';
import { idempotencyKeyHeader } from '../../functions/contract/practice-api.ts';
import { noBody, type Route } from '../../functions/contract/route.ts';
import { practiceRoutes } from '../../functions/contract/practice-routes.ts';
import { queryDescriptions } from './descriptions.ts';
import { operations } from './operations.ts';
import { problemResponses, problemSchemas } from './problems.ts';
import { bodySchemas, querySchemas, referenceTo } from './schemas.ts';
import { webhooks } from './webhooks.ts';

type RouteName = keyof typeof practiceRoutes;

const introduction = `A practice collects a patient's invoice by one bank (ACH) debit: create a session, send its link to the patient, and receive the outcome as a signed webhook, the only source of truth.

Every answer has a \`Request-Id\` header. Whatever is not a success is a problem (RFC 9457) with a stable \`code\`; a path or method that is not listed here is \`route_not_found\` (404).
The gateway in front of the service answers by itself, as \`{"message": …}\`, where it takes no request at all: over 10 MB (413), over its rate (429), or unable to reach the service (500, 503).

Fields, problem codes and event types may be added at any time: ignore those that you do not know. The five states of a session are closed.`;

/** The OpenAPI 3.1 document of the practice API and its webhooks, made from the routes and schemas of the contract. */
export function openApiDocument(version: string) {
  return {
    openapi: '3.1.1',
    info: { title: 'Patient Invoice Payment Service', version, description: introduction },
    servers: [
      {
        url: 'https://{host}',
        description: 'Sandbox: takes `pip_sandbox_…` keys and moves no money.',
        variables: { host: hostOf('sandbox') },
      },
      {
        url: 'https://{host}',
        description: 'Production: takes `pip_live_…` keys.',
        variables: { host: hostOf('production') },
      },
    ],
    security: [{ apiKey: [] }],
    tags: [
      { name: 'Sessions', description: 'One patient, one invoice, one amount.' },
      { name: 'Webhooks', description: 'What the service sends to your endpoints, after Standard Webhooks.' },
    ],
    paths: paths(),
    webhooks: webhooks(),
    components: {
      schemas: { ...bodySchemas(), ...problemSchemas },
      headers: {
        RequestId: {
          description: 'Identifies the request. Quote it when you ask for help.',
          required: true,
          schema: { type: 'string' },
        },
      },
      responses: {
        Throttled: gatewayAnswer('Too many requests at once. Wait and try again.'),
        Unavailable: gatewayAnswer('The service cannot be reached. Try again.'),
      },
      securitySchemes: {
        apiKey: {
          type: 'http',
          scheme: 'bearer',
          description:
            'An API key: `Authorization: Bearer pip_sandbox_…`. Each operation names the scope that the key must have.',
        },
      },
    },
  };
}

function hostOf(stage: string) {
  return { default: `${stage}-host`, description: `The host of the ${stage} stack's \`ApiUrl\`.` };
}

function gatewayAnswer(description: string) {
  return {
    description,
    content: {
      'application/json': {
        schema: {
          type: 'object',
          required: ['message'],
          properties: { message: { type: 'string', description: 'What the gateway says.' } },
        },
      },
    },
  };
}

function paths() {
  const names = Object.keys(practiceRoutes).filter((name): name is RouteName => name in practiceRoutes);
  const byPath = Object.groupBy(names, (name) => practiceRoutes[name].path);
  return Object.fromEntries(
    Object.entries(byPath).map(([path, ofPath = []]) => [
      path,
      Object.fromEntries(ofPath.map((name) => [practiceRoutes[name].method.toLowerCase(), operation(name)])),
    ]),
  );
}

function operation(name: RouteName) {
  const { summary, description, idempotent, problems } = operations[name];
  const { scope } = practiceRoutes[name];
  const route: Route = practiceRoutes[name];
  const parameters = [
    ...pathParameters(route.path),
    ...queryParameters(route.query),
    ...(idempotent ? [idempotencyKey()] : []),
  ];
  return {
    operationId: name,
    tags: ['Sessions'],
    summary,
    description: `${description}\n\nThe key needs the scope \`${scope}\`.`,
    security: [{ apiKey: [scope] }],
    ...(parameters.length > 0 && { parameters }),
    ...(!Object.is(route.body, noBody) && {
      requestBody: { required: true, content: { 'application/json': { schema: referenceTo(route.body) } } },
    }),
    responses: {
      [String(route.status)]: {
        description: 'Done.',
        headers: {
          'Request-Id': { $ref: '#/components/headers/RequestId' },
          ...(idempotent && { 'Idempotent-Replayed': replayed }),
        },
        content: { 'application/json': { schema: referenceTo(route.response) } },
      },
      ...problemResponses(problems),
      429: { $ref: '#/components/responses/Throttled' },
      503: { $ref: '#/components/responses/Unavailable' },
    },
  };
}

const replayed = {
  description: '`true` where this is the first answer to the same `Idempotency-Key`, replayed.',
  schema: { type: 'string', const: 'true' },
};

function pathParameters(path: string) {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    description: 'The `sessionId` of the session.',
    schema: { type: 'string' },
  }));
}

function queryParameters(query: z.core.$ZodType | undefined) {
  return Object.entries(query ? querySchemas(query) : {}).map(([name, schema]) => ({
    name,
    in: 'query',
    description: queryDescriptions[name],
    schema,
  }));
}

function idempotencyKey() {
  const { $schema: _, ...schema } = z.toJSONSchema(idempotencyKeyHeader);
  return {
    name: 'Idempotency-Key',
    in: 'header',
    description: 'A text of your own that names this request, such as a UUID.',
    schema,
  };
}
