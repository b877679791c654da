import type { Mode } from '../../functions/domain/mode.ts';
import { keyProblems, type PracticeRoute } from '../../functions/contract/practice-route.ts';
import { livePlatformApiRoutes, platformApiRoutes } from '../../functions/contract/practices/platform-practices.ts';
import { apiRoutes, practiceRoutes } from '../../functions/contract/routes.ts';
import { sandboxPracticeRoutes } from '../../functions/contract/sessions/sandbox-session.ts';
import {
  bodyProblems,
  methodNotAllowed,
  routeNotFound,
  serverProblems,
  type Problems,
} from '../../functions/contract/problems.ts';
import { apiKeyPrefix } from '../../functions/domain/practices/api-key.ts';
import { pathsOf } from './operations.ts';
import { problemElsewhere, problemResponse, problemSchemas } from './problems.ts';
import { bodySchemas } from './schemas.ts';
import { webhooks, webhookSchemas } from './webhooks.ts';

const introduction = `Collect payment of a patient's invoice with one bank (ACH) debit: create a session, send its link to the patient, and receive the outcome as a signed webhook, the only source of truth.

Every response of the service has a \`Request-Id\` header. Every error response is a problem (RFC 9457) with a stable \`code\`. A path that is not listed here is \`route_not_found\` (404), and a method that its path does not have is \`method_not_allowed\` (405). Paths have no double slash, and no slash at the end.
The gateway in front of the service responds with \`{"message": …}\` when a request does not reach the service: over 10 MB (413), over the rate limit of the whole service (429), or service unreachable (500, 503).

Fields, problem codes and event types can be added at any time: ignore the ones you do not know. The five session states will not change.`;

interface Options {
  /** If absent, the document has the routes of both modes. */
  readonly mode?: Mode;
  readonly server?: string;
}

function routesOf(mode: Mode | undefined): Readonly<Record<string, PracticeRoute>> {
  if (mode === undefined) return apiRoutes;
  return {
    ...practiceRoutes,
    ...platformApiRoutes,
    ...(mode === 'live' ? livePlatformApiRoutes : sandboxPracticeRoutes),
  };
}

export function openApiDocument(version: string, { mode, server }: Options = {}) {
  const paths = pathsOf(routesOf(mode));
  const described = { paths, webhooks: webhooks() };
  return {
    openapi: '3.1.1',
    info: { title: 'Patient Invoice Payment Service', version, description: introduction },
    servers: server === undefined ? stages : [{ url: server }],
    security: [{ apiKey: [] }],
    tags: tags.filter(({ name }) => mode !== 'live' || name !== 'Sandbox'),
    paths,
    /** Problems that OpenAPI has no place for: unknown paths, and methods that a path does not have. */
    'x-other-paths': problemElsewhere(['route_not_found', routeNotFound.route_not_found]),
    'x-other-methods': problemElsewhere(['method_not_allowed', methodNotAllowed.method_not_allowed]),
    webhooks: described.webhooks,
    components: {
      schemas: referredSchemas(
        { ...bodySchemas(), ...webhookSchemas(), ...problemSchemas(everyProblem()), GatewayMessage: gatewayMessage },
        [described, responses],
      ),
      headers: {
        RequestId: { description: requestIdDescription, required: true, schema: { type: 'string' } },
        RequestIdOfService: {
          description: `${requestIdDescription} The gateway does not send it.`,
          schema: { type: 'string' },
        },
        RateLimitPolicy: {
          description:
            'The quota of the practice, as in draft-ietf-httpapi-ratelimit-headers-11: `q` requests in a window of `w` seconds.',
          schema: { type: 'string', pattern: '^"practice";q=[0-9]+;w=[0-9]+$' },
        },
        RateLimit: {
          description:
            'What is left of it: about `r` requests, for `t` more seconds. An estimate, because other requests use it at the same time.',
          schema: { type: 'string', pattern: '^"practice";r=[0-9]+;t=[0-9]+$' },
        },
      },
      responses,
      securitySchemes: {
        apiKey: {
          type: 'http',
          scheme: 'bearer',
          description: `An API key: \`Authorization: Bearer ${apiKeyPrefix(mode ?? 'sandbox')}…\`. Each operation names the scope it requires, if it requires one.`,
        },
      },
    },
  };
}

const tags = [
  { name: 'Practice', description: 'Whose key you use, and what it may do.' },
  { name: 'Sessions', description: 'One patient, one invoice, one amount.' },
  { name: 'Events', description: 'What your webhooks told you, or should have.' },
  { name: 'Payouts', description: 'What reached the bank, and which invoices it is for.' },
  { name: 'Platforms', description: 'For software vendors: the practices of your platform.' },
  { name: 'Sandbox', description: 'Plays the patient and the bank. Only sandbox hosts have it.' },
  { name: 'Webhook endpoints', description: 'Where events are sent.' },
  { name: 'Webhooks', description: 'Events sent to your endpoints, following Standard Webhooks.' },
];

const stages = [
  {
    url: 'https://{host}',
    description: `Sandbox: accepts \`${apiKeyPrefix('sandbox')}…\` keys and moves no money.`,
    variables: { host: hostOf('sandbox') },
  },
  {
    url: 'https://{host}',
    description: `Production: accepts \`${apiKeyPrefix('live')}…\` keys.`,
    variables: { host: hostOf('production') },
  },
];

function hostOf(stage: string) {
  return { default: `${stage}-host`, description: `The host in the ${stage} stack's \`ApiUrl\` output.` };
}

const requestIdDescription = 'Identifies the request. Include it when you ask for help.';

const gatewayMessage = {
  type: 'object',
  required: ['message'],
  properties: { message: { type: 'string', description: "The gateway's message." } },
};

/** The gateway answers with these before a request reaches the service. */
const responses = {
  TooLarge: orOfGateway(problemResponse(413, bodyProblems), 'the request is over 10 MB. Send less.'),
  Throttled: orOfGateway(problemResponse(429, keyProblems), 'too many requests. Wait, then retry.'),
  InternalError: orOfGateway(problemResponse(500, serverProblems), 'the service is unreachable. Retry.'),
  Unavailable: orOfGateway(problemResponse(503, serverProblems), 'the service is unreachable. Retry.'),
};

function orOfGateway({ description, headers, content }: ReturnType<typeof problemResponse>, reason: string) {
  return {
    description: `${description}\n\nOr the gateway's answer: ${reason}`,
    headers: { ...headers, 'Request-Id': { $ref: '#/components/headers/RequestIdOfService' } },
    content: { ...content, 'application/json': { schema: { $ref: '#/components/schemas/GatewayMessage' } } },
  };
}

function everyProblem(): Problems {
  const ofRoutes = Object.values<PracticeRoute>(apiRoutes).map(({ problems }) => problems);
  return Object.assign({}, ...ofRoutes, serverProblems);
}

/** The schemas that `value` refers to, directly or through other schemas. */
function referredSchemas(schemas: Readonly<Record<string, unknown>>, value: unknown): Record<string, unknown> {
  const names = new Set<string>();
  const visit = (part: unknown) => {
    for (const [, name = ''] of JSON.stringify(part).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      if (names.has(name)) continue;
      names.add(name);
      visit(schemas[name]);
    }
  };
  visit(value);
  return Object.fromEntries(Object.entries(schemas).filter(([name]) => names.has(name)));
}
