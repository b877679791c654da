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
import { settingVariables } from '../../functions/contract/environment.ts';
import type { Dashboard } from './pages.ts';
import type { Access, Action, Data } from './data.ts';
import { throttles, type PaymentApi } from './http-api.ts';
import { allowMail } from './mail.ts';
import { sendTickets } from './queues.ts';
import { processorTimeout, type Processor, type StripeAccess } from './processor.ts';
import { allowObjects } from './bucket-access.ts';
import { kebabCase, serviceFunction } from './service-function.ts';
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
  readonly settlements: Queue;
  readonly signIn: SignIn;
  readonly mailFrom: string | undefined;
}

function ofCaller({ access }: DashboardRoute): Access {
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
  /** The file in `functions/dashboard-api/`, if its name differs from the area's. */
  readonly file?: string;
  readonly routes: Readonly<Record<string, DashboardRoute>>;
  readonly access: Access;
  readonly timeout?: Duration;
}

/** One function for each area. Code that reads the processor's key or the issuer's secret has its own function and role. */
export class DashboardApi extends Construct {
  constructor(scope: Construct, id: string, props: DashboardApiProps) {
    super(scope, id);
    const { data, processor, stripe, api, dashboard, hostedPageUrl, pageBucket, stage, tickets, settlements } = props;
    const { signIn, mailFrom } = props;
    const area = (name: string, { file = kebabCase(name), routes, access, timeout }: Area): Function => {
      const handler = serviceFunction(this, name, {
        file: `dashboard-api/${file}`,
        environment: { [settingVariables.dashboardUrl]: dashboard.url },
        ...(timeout && { timeout }),
      });
      for (const [act, route] of Object.entries(routes))
        api.addRoute(`Dashboard${act.charAt(0).toUpperCase()}${act.slice(1)}`, route, throttles.dashboard, handler);
      for (const granted of [...Object.values(routes).map(ofCaller), access]) data.grant(handler, granted);
      return handler;
    };

    signIn.allowSigningIn(
      area('SignIn', {
        routes: signInRoutes,
        access: {
          signIns: ['PutItem', 'DeleteItem'],
          dashboardSessions: ['PutItem', 'DeleteItem', 'Query:byUser'],
        },
      }),
    );
    area('Me', {
      routes: meRoutes,
      access: {
        members: ['Query:byUser', 'Query', 'GetItem', 'PutItem', 'UpdateItem', 'ConditionCheckItem'],
        practices: ['GetItem', 'ConditionCheckItem'],
        platforms: ['GetItem'],
        invitations: ['GetItem', 'DeleteItem'],
        auditLog: ['PutItem'],
      },
    });
    area('Home', {
      routes: homeRoutes,
      access: {
        practices: ['GetItem'],
        apiKeys: ['Query:byPractice'],
        webhookEndpoints: ['Query'],
        // Alerts share the code of the session list, which can use any of its indexes.
        sessions: [...listIndexes, 'BatchGetItem'],
        invoiceClaims: ['BatchGetItem'],
      },
    });
    const team = area('Team', {
      routes: teamRoutes,
      access: {
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
      routes: otherSessionRoutes,
      access: {
        practices: ['GetItem'],
        platforms: ['GetItem'],
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
      routes: { getEvidence },
      access: { sessions: ['GetItem'], authorizations: ['GetItem'] },
      ...(stripe && { timeout: processorTimeout }),
    });
    stripe?.allowCalls(authorization);
    processor.allowVoiding(
      area('CancelSession', {
        routes: { cancelSession },
        access: {
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
        routes: { refundSession },
        access: { sessions: ['GetItem', 'UpdateItem'], auditLog: ['PutItem'] },
        timeout: processorTimeout,
      }),
      settlements,
    );

    const deliveries = area('Deliveries', {
      routes: deliveryRoutes,
      access: {
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
      access: {
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
      routes: keyRoutes,
      access: {
        practices: ['GetItem', 'ConditionCheckItem'],
        apiKeys: ['GetItem', 'PutItem', 'UpdateItem', 'Query:byPractice'],
        webhookEndpoints: ['Query'],
        auditLog: ['PutItem'],
      },
    });
    const changingPractice = { practices: ['GetItem', 'UpdateItem'], auditLog: ['PutItem'] } satisfies Access;
    const settings = area('Settings', {
      routes: { ...settingsRoutes, ...dashboardPlatformRoutes },
      access: {
        practices: ['GetItem', 'UpdateItem', 'BatchGetItem', 'Query:byPlatform'],
        platforms: ['GetItem'],
        apiKeys: ['Query:byPractice'],
        events: ['PutItem'],
        auditLog: ['PutItem'],
      },
    });
    allowLogos(settings, pageBucket);

    if (stage.mode === 'sandbox')
      area('TestBank', { file: 'sandbox/test-bank', routes: sandboxTestBankRoutes, access: changingPractice });
    if (stage.mode === 'live')
      area('Payouts', {
        file: 'live/payouts',
        routes: livePayoutRoutes,
        access: {
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
        access: changingPractice,
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
