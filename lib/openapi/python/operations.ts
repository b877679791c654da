import type { Contract, Operation, Schema } from './document.ts';
import type { ModelWriter } from './models.ts';
import { isKeyword, lines, pascalCase, snakeCase, text, wrapped } from './words.ts';

/** By tag: the resource that has its operations in the client, and the words in their IDs that repeat the resource. */
const resources: Readonly<Record<string, readonly [resource: string, said: RegExp]>> = {
  Practice: ['practice', /Practice/],
  Sessions: ['sessions', /Sessions?(Status)?/],
  Events: ['events', /Events/],
  Payouts: ['payouts', /Payouts?/],
  Platforms: ['practices', /(Platform)?Practices?/],
  Sandbox: ['sandbox', /Session/],
  'Webhook endpoints': ['webhook_endpoints', /Webhook(s|Endpoints?)?|Signing/],
};

/** Each POST that may be repeated even though it takes no idempotency key. */
const repeatable = [
  'erasePatient',
  'erasePatientOfInvoice',
  'suspendPractice',
  'resumePractice',
  'createOnboardingLink',
];

type Kind = 'sync' | 'async';

/** A class for each resource, and one that holds them. */
export function resourceClasses(contract: Contract, models: ModelWriter, kind: Kind): string {
  const prefix = kind === 'async' ? 'Async' : '';
  requireOwnNames(contract.operations);
  const byResource = Map.groupBy(contract.operations, (each) => placeOf(each).resource);
  const classes = [...byResource].map(([resource, own]) =>
    lines(
      `class ${prefix}${pascalCase(resource)}Calls:`,
      '    def __init__(self, send: Send) -> None:',
      '        self._send = send',
      ...own.flatMap((operation) => ['', ...methodsOf(operation, contract, models, kind)]),
    ),
  );
  const holder = lines(
    `class ${prefix}Resources:`,
    '    def __init__(self, send: Send) -> None:',
    ...[...byResource.keys()].map((name) => `        self.${name} = ${prefix}${pascalCase(name)}Calls(send)`),
  );
  return [...classes, holder].join('\n\n\n');
}

/** Follows the TypeScript client: `listWebhookDeliveries` is `webhook_endpoints.list_deliveries`. */
function placeOf({ operationId, tags: [tag] }: Operation) {
  const place = resources[tag];
  if (place === undefined) throw new Error(`Say in lib/openapi/python/operations.ts where ${tag} belong.`);
  const [resource, said] = place;
  return { resource, method: snakeCase(operationId.replace(said, '')) };
}

/** Python would silently keep only the last of two methods with one name. */
function requireOwnNames(operations: readonly Operation[]): void {
  const byName = Map.groupBy(
    operations.flatMap((operation) => {
      const { resource, method } = placeOf(operation);
      const name = `${resource}.${method}`;
      return (isPaged(operation) ? [name, `${name}_page`] : [name]).map((each) => ({ ...operation, name: each }));
    }),
    ({ name }) => name,
  );
  for (const [name, same] of byName)
    if (same.length > 1)
      throw new Error(
        `${same.map(({ operationId }) => operationId).join(' and ')} would both be ${name} in Python: rename one of them.`,
      );
}

function isPaged({ parameters }: Operation): boolean {
  return parameters.some(({ name }) => name === 'cursor');
}

interface Parameter {
  readonly name: string;
  readonly type: string;
  /** The value if it is left out. A parameter with one must be named by the caller, except a body. */
  readonly absent?: string;
  /** Where its value goes. */
  readonly place: 'path' | 'query' | 'body' | 'idempotency_key';
  /** The query's parameter, or the only field of the body. */
  readonly field?: string;
}

function methodsOf(operation: Operation, contract: Contract, models: ModelWriter, kind: Kind): string[] {
  const parameters = parametersOf(operation, contract, models);
  const answer = models.typeOf(operation.answer, '');
  const { method } = placeOf(operation);
  if (!isPaged(operation)) return [oneCall(operation, method, parameters, answer, kind)];
  const page = oneCall(operation, `${method}_page`, parameters, answer, kind);
  const filters = parameters.filter(({ name }) => name !== 'limit' && name !== 'cursor');
  return [page, '', everyItem(method, filters, itemOf(answer), kind)];
}

function parametersOf(operation: Operation, { schemas }: Contract, models: ModelWriter): Parameter[] {
  const [path, query] = (['path', 'query'] as const).map((place) =>
    operation.parameters
      .filter((each) => each.in === place)
      .map(({ name, schema }) => ({
        name: snakeCase(name),
        field: name,
        place,
        ...valueOf(schema, name, place, models),
      })),
  );
  const body = operation.requestBody && bodyOf(operation.requestBody, schemas, models);
  const takesKey = operation.parameters.some(({ name }) => name === 'Idempotency-Key');
  const key = { name: 'idempotency_key', place: 'idempotency_key', type: 'str | None', absent: 'None' } as const;
  return [...(path ?? []), ...(body ? [body] : []), ...(query ?? []), ...(takesKey ? [key] : [])];
}

function valueOf(schema: Schema, name: string, place: 'path' | 'query', models: ModelWriter) {
  if (place === 'path') return { type: 'str' };
  if (schema.const === 'true') return { type: 'bool', absent: 'False' };
  const type = schema.format === 'date-time' ? 'datetime | str' : models.typeOf(schema, pascalCase(name));
  const one = schema.items ? `${models.typeOf(schema.items, pascalCase(name))} | ` : '';
  return { type: `${one}${type} | None`, absent: 'None' };
}

/** A body with one required field is that field: `simulate(session_id, "user_good")`. */
function bodyOf(body: NonNullable<Operation['requestBody']>, schemas: Contract['schemas'], models: ModelWriter) {
  const { schema } = body.content['application/json'];
  const { properties = {} } = schemas[schema.$ref?.split('/').at(-1) ?? ''] ?? {};
  const [[field, only] = [''], ...others] = Object.entries(properties);
  if (body.required && only !== undefined && others.length === 0)
    return {
      name: isKeyword(field) ? `${field}_` : field,
      place: 'body',
      field,
      type: models.typeOf(only, 'TestUser'),
    } as const;
  const type = models.typeOf(schema, '');
  return {
    name: 'body',
    place: 'body',
    ...(body.required ? { type } : { type: `${type} | None`, absent: 'None' }),
  } as const;
}

function oneCall(operation: Operation, method: string, parameters: readonly Parameter[], answer: string, kind: Kind) {
  const { path, description } = operation;
  const query = parameters
    .filter(({ place }) => place === 'query')
    .map(({ name, field = '' }) => `"${field}": ${name}`);
  const body = parameters.find(({ place }) => place === 'body');
  const takesKey = parameters.some(({ place }) => place === 'idempotency_key');
  const url = path.replace(/\{(\w+)\}/g, (_, name: string) => `{segment(${snakeCase(name)})}`);
  const fields = [
    text(operation.method),
    `${url === path ? '' : 'f'}${text(url)}`,
    ...(query.length > 0
      ? [lines('query={', ...query.map((each) => `                ${each},`), '            }')]
      : []),
    ...(body ? [`body=${body.field === undefined ? body.name : `{"${body.field}": ${body.name}}`}`] : []),
    ...(takesKey ? ['idempotency_key=idempotency_key or new_key()'] : []),
    ...(repeatable.includes(operation.operationId) ? ['is_idempotent=True'] : []),
  ];
  // A list with a single page is just its items.
  const isWhole = answer !== itemOf(answer) && !isPaged(operation);
  const returned = isWhole ? `Sequence[${itemOf(answer)}]` : answer;
  return lines(
    ...signature(kind === 'async' ? 'async def' : 'def', method, parameters, returned),
    ...docstring(description),
    '        request = Request(',
    ...fields.map((field) => `            ${field},`),
    '        )',
    `        answer: ${answer} = ${kind === 'async' ? 'await to_thread(self._send, request)' : 'self._send(request)'}`,
    `        return answer${isWhole ? '["data"]' : ''}`,
  );
}

function everyItem(method: string, filters: readonly Parameter[], item: string, kind: Kind) {
  const [define, iterator, wait] =
    kind === 'async' ? ['async def', 'AsyncIterator', 'await '] : ['def', 'Iterator', ''];
  return lines(
    ...signature(define, method, filters, `${iterator}[${item}]`),
    ...docstring('Yields every item, newest first, and holds one page at a time.'),
    '        cursor: str | None = None',
    '        while True:',
    `            page = ${wait}self.${method}_page(`,
    ...filters.map(({ name }) => `                ${name}=${name},`),
    '                limit=100,',
    '                cursor=cursor,',
    '            )',
    '            for item in page["data"]:',
    '                yield item',
    '            cursor = page["nextCursor"]',
    '            if cursor is None:',
    '                return',
  );
}

/** The class of a page's items. */
function itemOf(page: string): string {
  return page === 'PracticeList' ? 'ListedPractice' : page.replace(/List$/, '');
}

function signature(define: string, method: string, parameters: readonly Parameter[], answer: string): string[] {
  const declared = parameters.map(
    ({ name, type, absent }) => `${name}: ${type}${absent === undefined ? '' : ` = ${absent}`}`,
  );
  const named = parameters.findIndex(({ place, absent }) => absent !== undefined && place !== 'body');
  if (named !== -1) declared.splice(named, 0, '*');
  return [
    `    ${define} ${method}(`,
    ...['self', ...declared].map((each) => `        ${each},`),
    `    ) -> ${answer}:`,
  ];
}

function docstring(description: string): string[] {
  const [first = '', ...rest] = wrapped(description, 92);
  if (rest.length === 0) return [`        """${first}"""`];
  return [`"""${first}`, ...rest, '"""'].map((line) => (line === '' ? '' : `        ${line}`));
}
