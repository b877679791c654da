import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBStreamsClient } from '@aws-sdk/client-dynamodb-streams';
import { S3Client } from '@aws-sdk/client-s3';
import { arn, credentials, nameInArn, region } from './account.ts';
import {
  isolateAssets,
  createFunctionLog,
  createFunction,
  type FinishedInvocation,
  type LocalFunction,
} from './functions.ts';
import { createAsyncInvocations } from './async-invocations.ts';
import { deployBuckets } from './buckets.ts';
import { createDistribution } from './distribution.ts';
import { startDynamoDb, type LocalDatabase } from './dynoxide.ts';
import { createEventBus } from './event-bus.ts';
import type { EventSourceMapping, Poller } from './event-source-mapping.ts';
import { baseEnvironment } from './execution-environment.ts';
import { refuseRealEndpoints } from './given-endpoint.ts';
import { createHttpApi } from './http-api.ts';
import { createGate, type GateOptions } from './permissions/gate.ts';
import { openHttpServer } from './http-server.ts';
import { startFauxqs, openQueues } from './queues.ts';
import { type PrintMail, openUsers } from './user-pool.ts';
import { startQueuePoller } from './queue-poller.ts';
import { SetupError } from './setup-error.ts';
import { serveSignIn } from './sign-in.ts';
import { openState } from './state.ts';
import { startLimit } from './environment-pool.ts';
import { startStreamPoller } from './stream-poller.ts';
import { createTables, deleteTables, describeTable } from './tables.ts';
import { readStack } from './template.ts';

export interface LocalStackOptions {
  readonly template: unknown;
  readonly assetDirectory: string;
  readonly dataDir: string;
  readonly fresh?: boolean;
  /** Defaults to a dynoxide that keeps its tables in `dataDir`. The stack stops it. */
  readonly database?: LocalDatabase;
  /** Enforces the functions' permissions. By default, each may do everything. */
  readonly permissions?: GateOptions | undefined;
  /** True by default. The disk would slow down each message. */
  readonly keepsMessages?: boolean;
  readonly firstPort: number;
  readonly log?: (line: string) => void;
  readonly onMail?: PrintMail;
  /** Secrets that the template does not create, by name. */
  readonly secrets?: Readonly<Record<string, string>>;
  readonly hostEnvironment?: NodeJS.ProcessEnv;
  /** In milliseconds. Defaults to Lambda's delays. */
  readonly asyncRetryDelays?: readonly number[];
  readonly streamRetryDelay?: number;
  /** In minutes. Rarer schedules fire only through `fireSchedules`. By default, all fire by the clock. */
  readonly longestSchedule?: number;
  readonly onInvocation?: (finished: FinishedInvocation) => void;
}

export type LocalStack = Awaited<ReturnType<typeof startLocalStack>>;

/** Named one by one, so a wrong directory keeps its other files. */
const leftovers = [
  'dynamodb.sqlite',
  'dynamodb.sqlite-wal',
  'dynamodb.sqlite-shm',
  'fauxqs',
  'queues',
  'buckets',
  'logs',
  'stack.json',
  'last-stack.json',
  'operator.json',
];

/** Milliseconds that running functions get to finish. */
const grace = 1000;

/** Throws SetupError for what the user can fix, and leaves nothing running. */
export async function startLocalStack(options: LocalStackOptions) {
  const { template, assetDirectory, dataDir, firstPort, log = () => {}, onMail = () => {} } = options;
  const { hostEnvironment = process.env, keepsMessages = true } = options;
  refuseRealEndpoints(hostEnvironment);
  const planned = readStack(template, { queueUrl: () => '', hosts: new Map() });
  let stopping = false;
  const warn = (line: string) => {
    if (!stopping) log(line);
  };

  await using cleanup = new AsyncDisposableStack();
  const state = openState(dataDir);
  cleanup.defer(() => state.close());
  if (options.fresh === true) {
    state.clear();
    for (const entry of leftovers) rmSync(join(dataDir, entry), { recursive: true, force: true });
  }

  const servers = new Map<string, Awaited<ReturnType<typeof openHttpServer>>>();
  const open = async (name: string, port: number) => {
    const server = await openHttpServer(port, warn);
    cleanup.defer(() => server.stop());
    servers.set(name, server);
    return server;
  };
  // Only distributions call the other APIs.
  const [published, ...otherApis] = planned.apis;
  const addressed = [...(published ? [published] : []), ...planned.distributions, ...planned.userPools];
  for (const [index, { logicalId }] of addressed.entries()) {
    await open(logicalId, firstPort === 0 ? 0 : firstPort + index);
  }
  for (const { logicalId } of otherApis) await open(logicalId, 0);
  const hosts = new Map([...servers].map(([logicalId, { port }]) => [logicalId, `127.0.0.1:${port}`]));
  const events = await open('events', 0);
  const substitutes = await open('substitutes', 0);

  const starting = [
    options.database ? Promise.resolve(options.database) : startDynamoDb(dataDir, hostEnvironment),
    startFauxqs(keepsMessages ? dataDir : undefined),
  ] as const;
  for (const part of starting) cleanup.defer(async () => (await part.catch(() => undefined))?.stop());
  const [dynamo, fauxqs] = await Promise.all(starting);
  const queues = openQueues(fauxqs);
  const s3 = new S3Client({ endpoint: fauxqs.origin, region, credentials, forcePathStyle: true });
  const client = new DynamoDBClient({ endpoint: dynamo.endpoint, region, credentials });
  const streams = new DynamoDBStreamsClient({ endpoint: dynamo.endpoint, region, credentials });
  cleanup.defer(() => {
    for (const used of [client, streams, queues.client, s3]) used.destroy();
  });

  const gate = options.permissions && createGate(template, options.permissions);
  cleanup.defer(() => gate?.close());
  const guarded = async (endpoint: string) => gate?.open(endpoint) ?? endpoint;
  const endpoints = {
    dynamodb: await guarded(dynamo.endpoint),
    sqs: await guarded(fauxqs.origin),
    s3: await guarded(fauxqs.origin),
    eventbridge: await guarded(`http://127.0.0.1:${events.port}`),
    substitutes: await guarded(`http://127.0.0.1:${substitutes.port}`),
  };
  // The SDK calls a queue at its URL.
  const queueUrl = (name: string) => endpoints.sqs + new URL(queues.url(name)).pathname;

  await queues.create(planned.queues);
  const stack = readStack(template, { queueUrl, hosts });
  isolateAssets(assetDirectory);
  if (options.fresh === true) await deleteTables(client, stack.tables);
  await Promise.all([deployBuckets(s3, stack, assetDirectory), createTables(client, stack.tables)]);

  const functionLog = createFunctionLog(dataDir, warn);
  cleanup.defer(() => functionLog.close());
  const environment = baseEnvironment(endpoints);
  const functions = new Map<string, LocalFunction>();
  const starts = startLimit();
  for (const resource of stack.functions) {
    const settings = {
      assetDirectory,
      arn: arn('lambda', `function:${resource.name}`),
      baseEnvironment: environment,
      log: functionLog,
      starts,
      onInvocation: options.onInvocation,
    };
    const created = createFunction(resource, settings);
    cleanup.defer(() => created.stop());
    functions.set(resource.name, created);
  }

  const invocations = createAsyncInvocations({
    functions,
    configs: stack.invokeConfigs,
    queues,
    state,
    warn,
    retryDelays: options.asyncRetryDelays,
  });
  const bus = createEventBus({ buses: stack.buses, rules: stack.rules, invocations, queues });
  cleanup.defer(() => bus.stop());
  events.serve((request, response) => bus.handle(request, response));

  const users = openUsers(state);
  serveSignIn({ stack, servers, substitutes, users, onMail, otherSecrets: options.secrets ?? {} });

  const { stages, routes, integrations } = stack;
  for (const { logicalId, name } of stack.apis)
    servers.get(logicalId)?.serve(createHttpApi({ apiId: name, stages, routes, integrations, functions }));
  for (const { logicalId, plan } of stack.plans) servers.get(logicalId)?.serve(createDistribution(plan, fauxqs.host));

  async function startPoller(mapping: EventSourceMapping): Promise<Poller> {
    const { FunctionName, EventSourceArn } = mapping.properties;
    const target = functions.get(nameInArn(FunctionName));
    if (target === undefined)
      throw new SetupError(`${mapping.logicalId}: its function ${FunctionName} is not in the template.`);
    if (EventSourceArn.includes(':sqs:')) return startQueuePoller(mapping, queues, target, warn);
    const tableName = /table\/([^/]+)\/stream/.exec(EventSourceArn)?.[1] ?? '';
    const table = await describeTable(client, tableName);
    if (table?.LatestStreamArn === undefined)
      throw new SetupError(
        `${mapping.logicalId}: its event source ${EventSourceArn} is neither a queue nor a table's stream.`,
      );
    return startStreamPoller({
      mapping,
      streamArn: table.LatestStreamArn,
      client: streams,
      target,
      queues,
      state,
      warn,
      newestRecord: dynamo.newestRecord && (() => dynamo.newestRecord?.(tableName)),
      firstRetryDelay: options.streamRetryDelay,
    });
  }
  const pollers: Poller[] = [];
  for (const mapping of stack.eventSources) {
    const poller = await startPoller(mapping);
    cleanup.defer(() => poller.stop());
    pollers.push(poller);
  }
  invocations.resume();
  bus.startSchedules(options.longestSchedule);

  const named = [
    ...stack.tables,
    ...stack.queues,
    ...stack.functions,
    ...stack.buses,
    ...stack.buckets,
    ...stack.userPools,
    ...stack.userPoolClients,
    ...stack.secrets,
  ];
  /** Throws unless exactly one logical id has this prefix. */
  const resourceName = (prefix: string) => {
    const [found, ...others] = named.filter(({ logicalId }) => logicalId.startsWith(prefix));
    if (found === undefined || others.length > 0)
      throw new Error(`${prefix} is the prefix of ${others.length + (found ? 1 : 0)} resources in the template`);
    return found.name;
  };
  const urls = Object.fromEntries([...hosts].map(([logicalId, host]) => [logicalId, `http://${host}`]));

  const owned = cleanup.move();
  return {
    apiUrl: urls[published?.logicalId ?? ''] ?? '',
    hostedUrl: urls[stack.distributions[0]?.logicalId ?? ''],
    dashboardUrl: stack.outputs['DashboardUrl'],
    /** Where users of the dashboard sign in. */
    issuer: urls[stack.userPools[0]?.logicalId ?? ''] ?? '',
    /** Who can sign in to the dashboard. */
    users,
    urls,
    outputs: stack.outputs,
    environment,
    queues,
    resourceName,
    functionOf(prefix: string) {
      const found = functions.get(resourceName(prefix));
      if (found === undefined) throw new Error(`${prefix} is not a function of the template`);
      return found;
    },
    fireSchedules: () => bus.fireSchedules(),
    ended: dynamo.ended,
    async stop() {
      stopping = true;
      bus.stop();
      const work = [...pollers, ...servers.values(), invocations].map((part) => part.stop());
      await Promise.race([Promise.allSettled(work), pause(grace, undefined, { ref: false })]);
      // Stopped before the pollers, which wait for the functions.
      await Promise.all([...functions.values()].map((running) => running.stop()));
      await owned.disposeAsync();
    },
  };
}
