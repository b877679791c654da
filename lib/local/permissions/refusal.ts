import type { AwsCall } from './access-requests.ts';

/** An error in the service's own format. */
export function refusal({ service, operation }: AwsCall, message: string): string {
  if (service !== 's3') return failed({ __type: 'AccessDeniedException', message });
  const body = `<Error><Code>AccessDenied</Code><Message>${message}</Message></Error>`;
  return response('403 Forbidden', 'application/xml', operation === 'HEAD' ? '' : body);
}

/** A failure from a service that speaks JSON. */
export function failed(failure: object): string {
  return response('400 Bad Request', 'application/x-amz-json-1.0', JSON.stringify(failure));
}

function response(status: string, type: string, body: string): string {
  const length = Buffer.byteLength(body);
  return `HTTP/1.1 ${status}\r\ncontent-type: ${type}\r\ncontent-length: ${length}\r\n\r\n${body}`;
}
