import type { IncomingMessage, ServerResponse } from 'node:http';
import { text as readText } from 'node:stream/consumers';
import { parseJson } from './json.ts';

/** `error` is an exception's name. */
export type AwsAnswer = { readonly error: string } | { readonly error?: never; readonly [key: string]: unknown };

type Operation = (body: unknown) => AwsAnswer;

/** Serves a few AWS operations, found by `x-amz-target` or by `METHOD /path`. */
export function createSubstitutes(operations: Readonly<Record<string, Operation>>) {
  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const name = request.headers['x-amz-target']?.toString() ?? `${request.method} ${request.url}`;
    const body = parseJson(await readText(request));
    const answer = operations[name]?.(body) ?? { error: 'UnknownOperationException' };
    response.setHeader('content-type', 'application/x-amz-json-1.1');
    if (answer.error === undefined) response.end(JSON.stringify(answer));
    else
      response
        .writeHead(400, { 'x-amzn-errortype': answer.error })
        .end(JSON.stringify({ __type: answer.error, message: `The local stack refuses ${name}.` }));
  };
}
