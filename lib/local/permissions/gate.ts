import { connect, createServer, type Server, type Socket } from 'node:net';
import { listen } from '../http-server.ts';
import { requestName, type AwsCall } from './access-requests.ts';
import { decide, type Decision } from './decision.ts';
import { readPolicies } from './policies.ts';

/** `unanswered`: the call is done, but its response is lost. `failure` is the body of a response from DynamoDB. */
export type Disturbance = 'silent' | 'unanswered' | { readonly failure: object };

export interface GateOptions {
  readonly onDecision: (decision: Decision) => void;
  readonly disturb?: ((call: AwsCall) => Disturbance | undefined) | undefined;
}

/** Sits in front of local services and refuses what a function's role does not allow, or a table's policy denies. */
export function createGate(template: unknown, { onDecision, disturb = () => undefined }: GateOptions) {
  const policies = readPolicies(template);
  const servers: Server[] = [];
  const sockets = new Set<Socket>();

  /** The response to send. Undefined if the request may go on. */
  function answerTo(call: AwsCall): string | undefined {
    const decision = decide(policies, call);
    onDecision(decision);
    const [first] = decision.refused;
    return first && refusal(call, `${requestName(first)}: ${decision.reason}`);
  }

  // Passes bytes on: a Node HTTP server and client would take more CPU time than the database.
  function serve(client: Socket, service: URL): void {
    const served = connect({ host: service.hostname, port: Number(service.port), noDelay: true });
    for (const socket of [client, served]) {
      sockets.add(socket);
      socket.on('error', () => client.destroy());
      socket.once('close', () => sockets.delete(socket));
    }
    served.pipe(client);
    client.once('close', () => served.destroy());

    function handle(request: Buffer, headSize: number): void {
      const call = callOf(request.toString('latin1', 0, headSize), request.toString('utf8', headSize));
      const disturbance = disturb(call);
      if (disturbance === 'silent') return;
      const answer = typeof disturbance === 'object' ? failed(disturbance.failure) : answerTo(call);
      if (disturbance === 'unanswered' && answer === undefined) served.unpipe(client).resume();
      if (answer === undefined) served.write(request);
      else client.write(answer);
    }

    let received = Buffer.alloc(0);
    client.on('data', (chunk: Buffer) => {
      received = Buffer.concat([received, chunk]);
      for (let sizes = requestSizes(received); sizes; sizes = requestSizes(received)) {
        // Its body would pass unread.
        if (Number.isNaN(sizes.whole)) return void client.destroy();
        handle(received.subarray(0, sizes.whole), sizes.head);
        received = received.subarray(sizes.whole);
      }
    });
  }

  return {
    /** Returns the address to call in place of the service's own. */
    async open(endpoint: string): Promise<string> {
      const service = new URL(endpoint);
      const server = createServer({ noDelay: true }, (client) => serve(client, service));
      servers.push(server);
      return `http://127.0.0.1:${await listen(server, 0)}`;
    },
    close(): void {
      for (const server of servers) server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** The sizes of the first request, once all of it is here. `whole` is NaN for a chunked body: the SDK never sends one. */
function requestSizes(bytes: Buffer): { head: number; whole: number } | undefined {
  const head = bytes.indexOf('\r\n\r\n') + 4;
  if (head < 4) return undefined;
  const text = bytes.toString('latin1', 0, head);
  const [, length = '0'] = /^content-length: *(\d+) *\r$/im.exec(text) ?? [];
  const whole = /^transfer-encoding:/im.test(text) ? Number.NaN : head + Number(length);
  return bytes.length < whole ? undefined : { head, whole };
}

function callOf(head: string, input: string): AwsCall {
  const [, method = '', path = ''] = /^(\S+) (\S+)/.exec(head) ?? [];
  const [, caller = '', service = ''] = /Credential=([^/]+)\/\d+\/[\w-]+\/([\w-]+)\//.exec(head) ?? [];
  const [, operation = method] = /^x-amz-target: \w+\.(\w+)/im.exec(head) ?? [];
  return { caller, service, operation, path, input };
}

/** In the form of the service. */
function refusal({ service, operation }: AwsCall, message: string): string {
  if (service !== 's3') return failed({ __type: 'AccessDeniedException', message });
  const body = `<Error><Code>AccessDenied</Code><Message>${message}</Message></Error>`;
  return response('403 Forbidden', 'application/xml', operation === 'HEAD' ? '' : body);
}

/** A failure of a service that speaks JSON. */
function failed(failure: object): string {
  return response('400 Bad Request', 'application/x-amz-json-1.0', JSON.stringify(failure));
}

function response(status: string, type: string, body: string): string {
  const length = Buffer.byteLength(body);
  return `HTTP/1.1 ${status}\r\ncontent-type: ${type}\r\ncontent-length: ${length}\r\n\r\n${body}`;
}
