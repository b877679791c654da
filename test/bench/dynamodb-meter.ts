import { createServer, request as ask } from 'node:http';
import { buffer } from 'node:stream/consumers';
import * as z from 'zod';

const capacity = z.object({ TableName: z.string(), CapacityUnits: z.number() });
const answered = z.object({ ConsumedCapacity: z.union([capacity, z.array(capacity)]).optional() });

const reads = ['GetItem', 'Query', 'BatchGetItem', 'TransactGetItems'];
const writes = ['PutItem', 'UpdateItem', 'DeleteItem', 'BatchWriteItem', 'TransactWriteItems'];

interface Meter {
  readonly endpoint: string;
  /** Keyed by table, as the database reports them, with indexes and transactions. */
  readonly readUnits: Map<string, number>;
  readonly writeUnits: Map<string, number>;
  requests: number;
  /** Refused writes cost units too, but the database does not report them. */
  refused: number;
  reset(): void;
  stop(): Promise<void>;
}

export async function meterDynamoDb(endpoint: string): Promise<Meter> {
  const server = createServer(async (request, response) => {
    const operation = String(request.headers['x-amz-target']).split('.')[1] ?? '';
    const isMetered = reads.includes(operation) || writes.includes(operation);
    if (isMetered) meter.requests += 1;
    const received = await buffer(request);
    const body = isMetered
      ? Buffer.from(JSON.stringify({ ...JSON.parse(received.toString()), ReturnConsumedCapacity: 'TOTAL' }))
      : received;
    const passed = ask(
      endpoint,
      { method: request.method, path: request.url, headers: { ...request.headers, 'content-length': body.length } },
      async (answer) => {
        const content = await buffer(answer);
        response.writeHead(answer.statusCode ?? 502, answer.headers).end(content);
        if (!isMetered) return;
        if (answer.statusCode !== 200) meter.refused += 1;
        else
          add(
            reads.includes(operation) ? meter.readUnits : meter.writeUnits,
            answered.parse(JSON.parse(content.toString())),
          );
      },
    );
    passed.on('error', () => response.destroy());
    passed.end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();

  const meter: Meter = {
    endpoint: `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`,
    readUnits: new Map(),
    writeUnits: new Map(),
    requests: 0,
    refused: 0,
    reset() {
      meter.readUnits.clear();
      meter.writeUnits.clear();
      meter.requests = 0;
      meter.refused = 0;
    },
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return meter;
}

function add(units: Map<string, number>, { ConsumedCapacity }: z.infer<typeof answered>): void {
  for (const { TableName, CapacityUnits } of [ConsumedCapacity ?? []].flat())
    units.set(TableName, (units.get(TableName) ?? 0) + CapacityUnits);
}
