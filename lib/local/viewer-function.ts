import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { Script, createContext, type Context } from 'node:vm';
import * as z from 'zod';
import type { OriginAnswer } from './origins.ts';
import { inert } from './property-schema.ts';
import { SetupError } from './setup-error.ts';
import type { Resource } from './template.ts';

export const viewerFunctionProperties = z.strictObject({
  Name: z.string(),
  FunctionCode: z.string(),
  FunctionConfig: z.strictObject({ Runtime: z.literal('cloudfront-js-2.0'), Comment: inert('for readers') }),
  AutoPublish: z.literal(true).optional(),
});

const valueSchema = z.object({ value: z.string(), multiValue: z.array(z.object({ value: z.string() })).optional() });
const values = z.record(z.string(), valueSchema);
type Values = z.output<typeof values>;

const viewerRequest = z.object({
  method: z.string(),
  uri: z.string(),
  querystring: values,
  headers: values,
  cookies: values,
});

const viewerResponse = z.object({
  statusCode: z.int(),
  headers: values.default({}),
  body: z.object({ encoding: z.literal('text'), data: z.string() }),
});

const answer = z.union([viewerRequest, viewerResponse]);

export interface ViewerRequest {
  readonly method: string;
  readonly uri: string;
  readonly query: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Throws SetupError if the function does not compile. It returns a request for the origin, or the viewer's answer. */
export function viewerFunction({ logicalId, properties }: Resource<z.output<typeof viewerFunctionProperties>>) {
  const sandbox = viewerRuntime();
  let call: Script;
  try {
    new Script(properties.FunctionCode, { filename: logicalId }).runInContext(sandbox);
    call = new Script('handler(JSON.parse(event))');
  } catch (error) {
    throw new SetupError(
      `${logicalId}: its code does not run: ${error instanceof Error ? error.message : String(error)}`,
    );
  }

  return async (
    request: ViewerRequest,
    viewerIp: string,
    domainName: string,
  ): Promise<ViewerRequest | OriginAnswer> => {
    sandbox['event'] = JSON.stringify({
      version: '1.0',
      context: {
        distributionDomainName: domainName,
        distributionId: 'LOCAL',
        eventType: 'viewer-request',
        requestId: randomUUID(),
      },
      viewer: { ip: viewerIp },
      request: toEvent(request),
    });
    // A time limit would start a thread for each request.
    const result = answer.parse(await call.runInContext(sandbox));
    if ('uri' in result) return fromEvent(result);
    return { status: result.statusCode, headers: mapValues(result.headers), body: Buffer.from(result.body.data) };
  };
}

export function viewerRequestOf(request: IncomingMessage): ViewerRequest {
  const [, uri = '/', query = ''] = /^([^?#]*)\??([^#]*)/.exec(request.url ?? '/') ?? [];
  const headers = Object.entries(request.headers).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, [value].flat().join(name === 'cookie' ? '; ' : ',')]],
  );
  return { method: request.method ?? 'GET', uri, query, headers: Object.fromEntries(headers) };
}

function toEvent({ method, uri, query, headers }: ViewerRequest) {
  const { cookie, ...others } = headers;
  return {
    method,
    uri,
    querystring: fromPairs(query.split('&').filter((pair) => pair !== '')),
    headers: Object.fromEntries(Object.entries(others).map(([name, value]) => [name, { value }])),
    cookies: fromPairs((cookie ?? '').split(/;\s*/).filter((pair) => pair !== '')),
  };
}

function fromEvent({ method, uri, querystring, headers, cookies }: z.output<typeof viewerRequest>): ViewerRequest {
  const cookie = toPairs(cookies).join('; ');
  return {
    method,
    uri,
    query: toPairs(querystring).join('&'),
    headers: { ...mapValues(headers), ...(cookie !== '' && { cookie }) },
  };
}

function fromPairs(pairs: readonly string[]): Values {
  const found: Record<string, { value: string; multiValue?: { value: string }[] }> = {};
  for (const pair of pairs) {
    const [, name = '', value = ''] = /^([^=]*)=?(.*)$/s.exec(pair) ?? [];
    const before = Object.hasOwn(found, name) ? found[name] : undefined;
    if (before === undefined) found[name] = { value };
    else before.multiValue = [...(before.multiValue ?? [{ value: before.value }]), { value }];
  }
  return found;
}

function toPairs(from: Values): string[] {
  return Object.entries(from).flatMap(([name, { value, multiValue }]) =>
    (multiValue ?? [{ value }]).map((each) => (each.value === '' ? name : `${name}=${each.value}`)),
  );
}

function mapValues(from: Values): Record<string, string> {
  return Object.fromEntries(
    Object.entries(from).map(([name, { value, multiValue }]) => [
      name.toLowerCase(),
      (multiValue ?? [{ value }]).map((each) => each.value).join(','),
    ]),
  );
}

/** https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/functions-javascript-runtime-20.html */
const methods = {
  Object: `assign create defineProperties defineProperty entries freeze getOwnPropertyDescriptor
    getOwnPropertyDescriptors getOwnPropertyNames getPrototypeOf isExtensible isFrozen isSealed keys preventExtensions
    seal values`,
  'Array.prototype': `concat copyWithin every fill filter find findIndex forEach includes indexOf join lastIndexOf map pop
    push reduce reduceRight reverse shift slice some sort splice unshift`,
  'String.prototype': `charAt codePointAt concat endsWith includes indexOf lastIndexOf match padEnd padStart repeat replace
    replaceAll search slice split startsWith substr substring toLowerCase toUpperCase trim trimEnd trimStart`,
};
const everywhere = ['constructor', 'length', 'name', 'prototype', 'toString', 'valueOf'];
const missingGlobals = [
  'Atomics',
  'BigInt',
  'Intl',
  'Iterator',
  'Map',
  'Proxy',
  'Reflect',
  'Set',
  'WeakMap',
  'WeakSet',
];

const removal = new Script(`{
  const remove = (object, kept) =>
    Object.getOwnPropertyNames(object).filter((name) => !kept.includes(name)).forEach((name) => delete object[name]);
  ${missingGlobals.map((name) => `delete globalThis.${name};`).join(' ')}
  ${Object.entries(methods)
    .map(([object, names]) => `remove(${object}, ${JSON.stringify([...everywhere, ...names.split(/\s+/)])});`)
    .join('\n  ')}
}`);

function viewerRuntime(): Context {
  const sandbox = createContext({ console: { log: () => {} } });
  removal.runInContext(sandbox);
  return sandbox;
}
