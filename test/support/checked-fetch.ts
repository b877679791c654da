import { Ajv2020 } from 'ajv/dist/2020.js';
import { routeTable } from '../../lib/local/http-api.ts';
import { isObject, parseJson, valueAt } from '../../lib/local/json.ts';
import { openApiDocument } from '../../lib/openapi/document.ts';

const document: unknown = JSON.parse(JSON.stringify(openApiDocument('0.0.0')));

/** Clients ignore unknown fields; a test must not. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed);
  if (!isObject(schema)) return schema;
  const inner = Object.fromEntries(
    Object.entries(schema).map(([key, value]) => [key === 'x-extensible-enum' ? 'enum' : key, closed(value)]),
  );
  return schema['type'] === 'object' && isObject(schema['properties'])
    ? { ...inner, unevaluatedProperties: false }
    : inner;
}

const formats = {
  email: /^\S+@\S+$/,
  uri: URL.canParse,
  'date-time': (text: string) => /\.\d{3}Z$/.test(text) && !Number.isNaN(Date.parse(text)),
};
const ajv = new Ajv2020({ allErrors: true, strictTypes: false, formats });
// ajv treats the document as a schema and its sections as keywords.
ajv.addVocabulary([...Object.keys(Object(document) as object), 'discriminator']);
ajv.addSchema(closed(document) as object, 'openapi', undefined, false);

function faultsOf(place: readonly string[], value: unknown): string[] {
  const validate = ajv.getSchema(
    `openapi#/${place.map((key) => encodeURIComponent(key.replaceAll('~', '~0').replaceAll('/', '~1'))).join('/')}`,
  );
  if (!validate) throw new Error(`the OpenAPI document has nothing at ${place.join(' ')}`);
  return validate(value)
    ? []
    : (validate.errors ?? []).map(
        ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
      );
}

function resolved(place: readonly string[]): readonly string[] {
  const reference = valueAt(document, [...place, '$ref']);
  return typeof reference === 'string' ? reference.slice('#/'.length).split('/') : place;
}

function headerFaults(place: readonly string[], description: unknown, name: string, value: string | null): string[] {
  if (value === null) return valueAt(description, ['required']) === true ? [`the header ${name} is missing`] : [];
  const isNumber = valueAt(description, ['schema', 'type']) === 'integer';
  return faultsOf([...place, 'schema'], isNumber ? Number(value) : value).map((fault) => `${name}: ${fault}`);
}

const keysAt = (place: readonly string[]) => Object.keys(Object(valueAt(document, place)) as object);

const methods = ['DELETE', 'GET', 'POST'];

const findOperation = routeTable(
  keysAt(['paths']).flatMap((path) =>
    keysAt(['paths', path]).map((method) => ({
      routeKey: `${method.toUpperCase()} ${path}`,
      target: ['paths', path, method],
    })),
  ),
);

function throwFaults(what: string, faults: readonly string[]): void {
  if (faults.length > 0) throw new Error(`${what} breaks the OpenAPI document:\n${faults.join('\n')}`);
}

interface Exchange {
  readonly method: string;
  readonly path: string;
  readonly sentBody?: unknown;
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;
}

export function checkExchange({ method, path, sentBody, status, headers, body }: Exchange): void {
  const what = `The answer ${status} to ${method} ${path}`;
  const operation = findOperation(method, path)?.target;
  const value = parseJson(body);
  const others = methods.filter((other) => findOperation(other, path) !== undefined).join(', ');
  if (operation === undefined && others === '') {
    const isRefusal =
      status === 404 &&
      headers.get('content-type') === 'application/problem+json' &&
      valueAt(value, ['code']) === 'route_not_found';
    return throwFaults(
      what,
      isRefusal
        ? faultsOf(['x-other-paths', 'content', 'application/problem+json', 'schema'], value)
        : ['no operation has this method and path, and the answer is not route_not_found'],
    );
  }
  if (operation === undefined && (status !== 405 || headers.get('allow') !== others))
    return throwFaults(what, [`the path has only ${others}, and the answer does not say so`]);
  const response = resolved(operation ? [...operation, 'responses', String(status)] : ['x-other-methods']);
  const contentType = headers.get('content-type') ?? '';
  if (!keysAt([...response, 'content']).includes(contentType))
    return throwFaults(what, [`this status has no content type ${contentType}: ${body.slice(0, 300)}`]);

  const requestId = valueAt(value, ['requestId']);
  const mayBeEmpty = valueAt(document, [...(operation ?? []), 'requestBody', 'required']) === false;
  const request = resolved([...(operation ?? []), 'requestBody', 'content', 'application/json']);
  throwFaults(what, [
    ...faultsOf([...response, 'content', contentType, 'schema'], value),
    ...keysAt([...response, 'headers']).flatMap((name) => {
      const place = resolved([...response, 'headers', name]);
      return headerFaults(place, valueAt(document, place), name, headers.get(name));
    }),
    ...(requestId === undefined || requestId === headers.get('request-id')
      ? []
      : ['requestId is not the header Request-Id']),
    ...(status < 300 && valueAt(document, request) !== undefined && !(mayBeEmpty && sentBody === undefined)
      ? faultsOf([...request, 'schema'], sentBody).map((fault) => `a request was accepted although ${fault}`)
      : []),
  ]);
}

/** Throws if the answer breaks the OpenAPI document. */
export async function checkedFetch(url: string, init: RequestInit = {}): Promise<Response> {
  const response = await fetch(url, init);
  const { method = 'GET', body: sent } = init;
  const { status, headers } = response;
  checkExchange({
    method,
    path: new URL(url).pathname,
    sentBody: typeof sent === 'string' ? parseJson(sent) : undefined,
    status,
    headers,
    body: await response.clone().text(),
  });
  return response;
}

export function checkWebhook(headers: Headers, body: string): void {
  const value = parseJson(body);
  const type = String(valueAt(value, ['type']));
  const webhook = ['webhooks', type, 'post'];
  const parameters = valueAt(document, [...webhook, 'parameters']);
  if (!Array.isArray(parameters)) throw new Error(`The OpenAPI document has no webhook ${type}.`);
  throwFaults(`The webhook ${type}`, [
    ...parameters.flatMap((parameter: unknown, index) => {
      const name = String(valueAt(parameter, ['name']));
      return headerFaults([...webhook, 'parameters', String(index)], parameter, name, headers.get(name));
    }),
    ...faultsOf([...webhook, 'requestBody', 'content', 'application/json', 'schema'], value),
    ...(headers.get('webhook-id') === valueAt(value, ['id']) ? [] : ['the header webhook-id is not the id']),
  ]);
}
