import { Duration } from 'aws-cdk-lib';
import type { Function } from 'aws-cdk-lib/aws-lambda';
import type { IBucket } from 'aws-cdk-lib/aws-s3';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import type { DashboardRoute } from '../../functions/contract/dashboard-route.ts';
import { livePayoutRoutes } from '../../functions/contract/payments/dashboard-payouts.ts';
import { liveGoingLiveRoutes } from '../../functions/contract/practices/dashboard-going-live.ts';
import { keyRoutes } from '../../functions/contract/practices/dashboard-keys.ts';
import {
  settingsRoutes,
  sandboxTestBankRoutes,
  dashboardPlatformRoutes,
} from '../../functions/contract/practices/dashboard-settings.ts';
import { sessionRoutes } from '../../functions/contract/sessions/dashboard-sessions.ts';
import { homeRoutes } from '../../functions/contract/team/dashboard-home.ts';
import { meRoutes } from '../../functions/contract/team/dashboard-me.ts';
import { signInRoutes } from '../../functions/contract/team/dashboard-sign-in.ts';
import { teamRoutes } from '../../functions/contract/team/dashboard-team.ts';
import { deliveryRoutes } from '../../functions/contract/webhooks/dashboard-deliveries.ts';
import { endpointRoutes } from '../../functions/contract/webhooks/dashboard-endpoints.ts';
import { settingVariables, tableVariables, type Table } from '../../functions/contract/environment.ts';
import type { Dashboard } from './pages.ts';
import type { Action, Data } from './data.ts';
import type { PaymentApi } from './http-api.ts';
import { allowMail } from './mail.ts';
import { sendTickets } from './queues.ts';
import { processorTimeout, type Processor, type StripeAccess } from './processor.ts';
import { allowObjects } from './bucket-access.ts';
import { serviceFunction } from './service-function.ts';
import type { SignIn } from './sign-in.ts';
import type { Stage } from '../settings/stage.ts';

interface DashboardApiProps {
  readonly data: Data;
  readonly api: PaymentApi;
  readonly processor: Processor;
  readonly stripe: StripeAccess | undefined;
  readonly dashboard: Dashboard;
  readonly hostedPageUrl: string;
  /** The hosted page's bucket, which also holds the logos. */
  readonly pageBucket: IBucket;
  readonly stage: Stage;
  /** The queue of delivery tickets. */
  readonly tickets: Queue;
  /** The queue of settlement tickets. */
  readonly settlements: Queue;
  readonly signIn: SignIn;
  readonly mailFrom: string | undefined;
}

type Tables = Readonly<Partial<Record<Table, readonly Action[]>>>;

function ofCaller({ access }: DashboardRoute): Tables {
  if (access === 'anyone') return {};
  const session = { dashboardSessions: ['GetItem', 'UpdateItem'] } as const;
  return access === 'signed_in' ? session : { ...session, members: ['GetItem'], practices: ['GetItem'] };
}

const listIndexes = [
  'Query:byPractice',
  'Query:byPracticeStatus',
  'Query:byInvoice',
  'Query:byPracticeReturned',
] as const satisfies readonly Action[];

interface Area {
  /** Within `functions/dashboard-api/`. */
  readonly file: string;
  readonly routes: Readonly<Record<string, DashboardRoute>>;
  readonly tables: Tables;
  readonly timeout?: Duration;
}

/** A function for each area. What reads the processor's key or the issuer's secret has a function, and a role, of its own. */
export class DashboardApi extends Construct {
  constructor(scope: Construct, id: string, props: DashboardApiProps) {
    super(scope, id);
    const { data, processor, stripe, api, dashboard, hostedPageUrl, pageBucket, stage, tickets, settlements } = props;
    const { signIn, mailFrom } = props;
    const area = (name: string, { file, routes, tables, timeout }: Area): Function => {
      const handler = serviceFunction(this, name, {
        file: `dashboard-api/${file}`,
        environment: { [settingVariables.dashboardUrl]: dashboard.url },
        ...(timeout && { timeout }),
      });
      for (const [act, route] of Object.entries(routes))
        api.addRoute(`Dashboard${act.charAt(0).toUpperCase()}${act.slice(1)}`, route, handler);
      for (const granted of [...Object.values(routes).map(ofCaller), tables])
        for (const table of tablesOf(granted)) data.grant(handler, table, ...(granted[table] ?? []));
      return handler;
    };

    signIn.allowSigningIn(
      area('SignIn', {
        file: 'sign-in',
        routes: signInRoutes,
        tables: {
          signIns: ['PutItem', 'DeleteItem'],
          dashboardSessions: ['PutItem', 'DeleteItem', 'Query:byUser'],
        },
      }),
    );
    area('Me', {
      file: 'me',
      routes: meRoutes,
      tables: {
        members: ['Query:byUser', 'Query', 'GetItem', 'PutItem', 'UpdateItem', 'ConditionCheckItem'],
        practices: ['GetItem', 'ConditionCheckItem'],
        platforms: ['GetItem'],
        invitations: ['GetItem', 'DeleteItem'],
        auditLog: ['PutItem'],
      },
    });
    area('Home', {
      file: 'home',
      routes: homeRoutes,
      tables: {
        practices: ['GetItem'],
        apiKeys: ['Query:byPractice'],
        webhookEndpoints: ['Query'],
        // Alerts share the code of the sessions' list, which can choose any of its indexes.
        sessions: [...listIndexes, 'BatchGetItem'],
        invoiceClaims: ['BatchGetItem'],
      },
    });
    const team = area('Team', {
      file: 'team',
      routes: teamRoutes,
      tables: {
        practices: ['GetItem'],
        platforms: ['GetItem'],
        members: ['Query', 'UpdateItem', 'DeleteItem', 'ConditionCheckItem'],
        invitations: ['Query:byPractice', 'GetItem', 'PutItem', 'DeleteItem'],
        auditLog: ['PutItem', 'Query'],
      },
    });
    signIn.allowCreatingUsers(team);
    if (mailFrom !== undefined) allowMail(team, mailFrom);

    const { cancelSession, getEvidence, refundSession, ...otherSessionRoutes } = sessionRoutes;
    const sessions = area('Sessions', {
      file: 'sessions',
      routes: otherSessionRoutes,
      tables: {
        practices: ['GetItem'],
        apiKeys: ['GetItem', 'Query:byPractice'],
        sessions: [
          'GetItem',
          'PutItem',
          'UpdateItem',
          'BatchGetItem',
          ...listIndexes,
          'Query:byLastName',
          'Query:byFirstName',
          'Query:byLastWord',
        ],
        invoiceClaims: ['GetItem', 'BatchGetItem'],
        idempotencyKeys: ['GetItem', 'PutItem'],
        events: ['BatchGetItem', 'PutItem', 'UpdateItem'],
        deliveries: ['Query'],
        auditLog: ['PutItem', 'Query'],
      },
    });
    sessions.addEnvironment(settingVariables.hostedPageUrl, hostedPageUrl);
    const authorization = area('Authorization', {
      file: 'authorization',
      routes: { getEvidence },
      tables: { sessions: ['GetItem'], authorizations: ['GetItem'] },
      ...(stripe && { timeout: processorTimeout }),
    });
    stripe?.allowReading(authorization);
    processor.allowVoiding(
      area('CancelSession', {
        file: 'cancel-session',
        routes: { cancelSession },
        tables: {
          sessions: ['GetItem', 'UpdateItem'],
          events: ['PutItem'],
          invoiceClaims: ['DeleteItem'],
          auditLog: ['PutItem'],
        },
        timeout: processorTimeout,
      }),
    );

    processor.allowRefunding(
      area('RefundSession', {
        file: 'refund-session',
        routes: { refundSession },
        tables: { sessions: ['GetItem', 'UpdateItem'], auditLog: ['PutItem'] },
        timeout: processorTimeout,
      }),
      settlements,
    );

    const deliveries = area('Deliveries', {
      file: 'deliveries',
      routes: deliveryRoutes,
      tables: {
        webhookEndpoints: ['GetItem', 'Query'],
        deliveries: ['GetItem', 'Query', 'Query:byEndpoint', 'UpdateItem'],
        attempts: ['Query'],
        events: ['GetItem'],
        sessions: ['GetItem'],
        practices: ['BatchGetItem'],
        auditLog: ['PutItem'],
      },
    });
    const endpoints = area('Endpoints', {
      file: 'webhook-endpoints',
      routes: endpointRoutes,
      tables: {
        practices: ['GetItem', 'BatchGetItem'],
        webhookEndpoints: ['GetItem', 'Query', 'PutItem', 'UpdateItem', 'DeleteItem'],
        deliveries: ['GetItem', 'PutItem', 'UpdateItem', 'Query:byEndpoint'],
        events: ['PutItem'],
        auditLog: ['PutItem'],
      },
      // A replay can take as long as the API waits: 30 seconds.
      timeout: Duration.seconds(29),
    });
    endpoints.addEnvironment(settingVariables.allowLoopbackWebhooks, String(stage.allowLoopbackWebhooks));
    for (const handler of [deliveries, endpoints]) sendTickets(handler, 'deliveries', tickets);

    area('Keys', {
      file: 'keys',
      routes: keyRoutes,
      tables: {
        practices: ['GetItem', 'ConditionCheckItem'],
        apiKeys: ['GetItem', 'PutItem', 'UpdateItem', 'Query:byPractice'],
        webhookEndpoints: ['Query'],
        auditLog: ['PutItem'],
      },
    });
    const changingPractice = { practices: ['GetItem', 'UpdateItem'], auditLog: ['PutItem'] } satisfies Tables;
    const settings = area('Settings', {
      file: 'settings',
      routes: { ...settingsRoutes, ...dashboardPlatformRoutes },
      tables: {
        practices: ['GetItem', 'UpdateItem', 'BatchGetItem', 'Query:byPlatform'],
        platforms: ['GetItem'],
        apiKeys: ['Query:byPractice'],
        auditLog: ['PutItem'],
      },
    });
    allowLogos(settings, pageBucket);

    if (stage.mode === 'sandbox')
      area('TestBank', { file: 'sandbox/test-bank', routes: sandboxTestBankRoutes, tables: changingPractice });
    if (stage.mode === 'live')
      area('Payouts', {
        file: 'live/payouts',
        routes: livePayoutRoutes,
        tables: {
          practices: ['GetItem'],
          bookings: ['Query'],
          payouts: ['Query'],
          reconciliations: ['GetItem'],
          sessions: ['Query:byPracticeStatus', 'GetItem', 'BatchGetItem'],
        },
      });
    stripe?.allowUsingAccounts(
      area('GoingLive', {
        file: 'live/going-live',
        routes: liveGoingLiveRoutes,
        tables: changingPractice,
        // Long enough for two calls to the processor.
        timeout: Duration.seconds(25),
      }),
    );
  }
}

function allowLogos(grantee: Function, bucket: IBucket): void {
  grantee.addEnvironment(settingVariables.pageBucket, bucket.bucketName);
  const reason = 'A logo is named by its practice and its content.';
  allowObjects(grantee, 's3:PutObject', { bucket, prefix: 'logos/', reason });
}

function tablesOf(tables: Tables): Table[] {
  return Object.keys(tables).filter(isTable);
}

function isTable(name: string): name is Table {
  return Object.hasOwn(tableVariables, name);
}
