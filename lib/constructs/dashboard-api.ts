import { basename } from 'node:path';
import { Duration } from 'aws-cdk-lib';
import type { Function } from 'aws-cdk-lib/aws-lambda';
import type { IBucket } from 'aws-cdk-lib/aws-s3';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import type { DashboardRoute } from '../../functions/contract/dashboard-api/dashboard-route.ts';
import {
  dashboardRoutes as routes,
  liveDashboardRoutes as liveRoutes,
  sandboxDashboardRoutes as sandboxRoutes,
} from '../../functions/contract/dashboard-routes.ts';
import { settingVariables, tableVariables, type Table } from '../../functions/contract/environment.ts';
import type { Dashboard } from './dashboard.ts';
import type { Action, Data } from './data.ts';
import type { PaymentApi } from './http-api.ts';
import { allowMail } from './mail.ts';
import { sendTickets } from './queues.ts';
import { processorTimeout, type Processor } from './processor.ts';
import { allowObjects } from './bucket-access.ts';
import { functionIdentity, serviceFunction } from './service-function.ts';
import type { SignIn } from './sign-in.ts';
import type { Stage } from '../settings/stage.ts';
import type { StripeAccess } from './stripe-access.ts';

interface DashboardApiProps {
  readonly bundles: string;
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
  readonly signIn: SignIn;
  readonly mailFrom: string | undefined;
}

type Tables = Readonly<Partial<Record<Table, readonly Action[]>>>;

function ofCaller({ access }: DashboardRoute): Tables {
  if (access === 'anyone') return {};
  const session = { dashboardSessions: ['GetItem', 'UpdateItem'] } as const;
  return access === 'signed_in' ? session : { ...session, members: ['GetItem'] };
}

/** Routes of one area share a role: a stack has at most 500 resources. */
export class DashboardApi extends Construct {
  constructor(scope: Construct, id: string, props: DashboardApiProps) {
    super(scope, id);
    const { stripe } = props;
    const { bundles, data, processor, api, dashboard, hostedPageUrl, pageBucket, stage, tickets } = props;
    const { signIn, mailFrom } = props;
    const area = (name: string) => {
      const identity = functionIdentity(this, name);
      return (declared: DashboardRoute, file: string, tables: Tables, timeout?: Duration): Function => {
        const name = basename(file).replaceAll(/(?:^|-)([a-z])/g, (_, letter: string) => letter.toUpperCase());
        const environment = { [settingVariables.dashboardUrl]: dashboard.url };
        const handler = serviceFunction(this, name, {
          bundles,
          file: `dashboard-api/${file}`,
          environment,
          identity,
          ...(timeout && { timeout }),
        });
        api.addRoute(`Dashboard${name}`, declared, handler);
        for (const granted of [ofCaller(declared), tables])
          for (const table of tablesOf(granted)) data.grant(handler, table, ...(granted[table] ?? []));
        return handler;
      };
    };

    const user = area('User');
    const begin = user(routes.signIn, 'begin-sign-in', { signIns: ['PutItem'] });
    const finish = user(routes.callback, 'finish-sign-in', {
      signIns: ['DeleteItem'],
      dashboardSessions: ['PutItem', 'DeleteItem'],
    });
    const end = user(routes.signOut, 'sign-out', { dashboardSessions: ['DeleteItem', 'Query:byUser'] });
    for (const handler of [begin, finish, end]) signIn.allowSigningIn(handler);
    user(routes.me, 'get-me', { members: ['Query:byUser'], practices: ['GetItem'] });
    user(routes.acceptInvitation, 'accept-invitation', {
      invitations: ['GetItem', 'DeleteItem'],
      members: ['GetItem', 'PutItem', 'UpdateItem', 'ConditionCheckItem'],
      auditLog: ['PutItem'],
    });

    const team = area('Team');
    team(routes.getTeam, 'get-team', { members: ['Query'], invitations: ['Query:byPractice'] });
    team(routes.changeAlerts, 'change-alerts', { members: ['UpdateItem'], auditLog: ['PutItem'] });
    const invite = team(routes.inviteMember, 'invite-member', {
      practices: ['GetItem'],
      invitations: ['PutItem', 'GetItem', 'DeleteItem', 'Query:byPractice'],
      members: ['ConditionCheckItem'],
      auditLog: ['PutItem'],
    });
    signIn.allowCreatingUsers(invite);
    if (mailFrom !== undefined) allowMail(invite, mailFrom);
    team(routes.revokeInvitation, 'revoke-invitation', {
      invitations: ['DeleteItem'],
      members: ['ConditionCheckItem'],
      auditLog: ['PutItem'],
    });
    const revokingInvitations = { invitations: ['Query:byPractice', 'GetItem', 'DeleteItem'] } satisfies Tables;
    team(routes.changeMember, 'change-member', {
      ...revokingInvitations,
      members: ['Query', 'UpdateItem', 'ConditionCheckItem'],
      auditLog: ['PutItem'],
    });
    team(routes.removeMember, 'remove-member', {
      ...revokingInvitations,
      members: ['Query', 'DeleteItem', 'ConditionCheckItem'],
      auditLog: ['PutItem'],
    });

    const sessions = area('Sessions');
    sessions(routes.getHome, 'get-home', {
      practices: ['GetItem'],
      apiKeys: ['Query:byPractice'],
      webhookEndpoints: ['Query'],
      sessions: ['Query:byPractice', 'Query:byPracticeStatus'],
    });
    sessions(routes.getAlerts, 'get-alerts', {
      webhookEndpoints: ['Query'],
      sessions: ['Query:byPracticeStatus', 'Query:byPracticeReturned', 'BatchGetItem'],
      invoiceClaims: ['BatchGetItem'],
    });
    sessions(routes.listSessions, 'list-sessions', {
      sessions: [
        'Query:byPractice',
        'Query:byPracticeStatus',
        'Query:byInvoice',
        'Query:byPracticeReturned',
        'BatchGetItem',
      ],
      practices: ['GetItem'],
      invoiceClaims: ['BatchGetItem'],
    });
    sessions(routes.getSession, 'get-session', {
      sessions: ['GetItem'],
      practices: ['GetItem'],
      invoiceClaims: ['GetItem'],
      events: ['BatchGetItem'],
      deliveries: ['Query'],
    });
    sessions(routes.getEvidence, 'get-evidence', { sessions: ['GetItem'], authorizations: ['GetItem'] });

    if (stage.mode === 'live')
      sessions(liveRoutes.getStatement, 'live/get-statement', {
        practices: ['GetItem'],
        bookings: ['Query'],
        payouts: ['Query'],
        sessions: ['Query:byPracticeStatus'],
      });

    const links = area('Links');
    const create = links(routes.createSession, 'create-session', {
      practices: ['GetItem'],
      apiKeys: ['Query:byPractice'],
      webhookEndpoints: ['Query'],
      sessions: ['GetItem', 'PutItem'],
      invoiceClaims: ['GetItem'],
      idempotencyKeys: ['GetItem', 'PutItem'],
      auditLog: ['PutItem'],
    });
    const replace = links(routes.replaceLink, 'replace-link', {
      practices: ['GetItem'],
      sessions: ['GetItem', 'UpdateItem'],
      auditLog: ['PutItem'],
    });
    for (const handler of [create, replace]) handler.addEnvironment(settingVariables.hostedPageUrl, hostedPageUrl);
    const cancelling: Tables = {
      sessions: ['GetItem', 'UpdateItem'],
      events: ['PutItem'],
      invoiceClaims: ['DeleteItem'],
      auditLog: ['PutItem'],
    };
    // A role of its own: nothing else here may read the processor's key.
    const cancel = area('CancelSession')(routes.cancelSession, 'cancel-session', cancelling, processorTimeout);
    processor.allowVoiding(cancel);
    links(routes.erasePatient, 'erase-patient', {
      sessions: ['GetItem', 'UpdateItem'],
      events: ['BatchGetItem', 'PutItem', 'UpdateItem'],
      auditLog: ['PutItem'],
    });

    const deliveries = area('Deliveries');
    deliveries(routes.listDeliveries, 'list-deliveries', {
      webhookEndpoints: ['GetItem', 'Query'],
      deliveries: ['GetItem', 'Query', 'Query:byEndpoint'],
      sessions: ['GetItem'],
    });
    deliveries(routes.getDelivery, 'get-delivery', {
      deliveries: ['GetItem'],
      attempts: ['Query'],
      events: ['GetItem'],
    });
    const resend = deliveries(routes.resendDelivery, 'resend-delivery', {
      webhookEndpoints: ['GetItem'],
      deliveries: ['GetItem', 'UpdateItem'],
      auditLog: ['PutItem'],
    });
    sendTickets(resend, 'deliveries', tickets);

    const keys = area('Keys');
    keys(routes.listKeys, 'list-keys', { practices: ['GetItem'], apiKeys: ['Query:byPractice'] });
    keys(routes.createKey, 'create-key', {
      practices: ['GetItem', 'ConditionCheckItem'],
      apiKeys: ['PutItem', 'Query:byPractice'],
      webhookEndpoints: ['Query'],
      auditLog: ['PutItem'],
    });
    keys(routes.rotateKey, 'rotate-key', {
      practices: ['ConditionCheckItem'],
      apiKeys: ['GetItem', 'UpdateItem', 'PutItem'],
      auditLog: ['PutItem'],
    });
    keys(routes.revokeKey, 'revoke-key', { apiKeys: ['GetItem', 'UpdateItem'], auditLog: ['PutItem'] });

    const endpoints = area('Endpoints');
    const changing = { webhookEndpoints: ['GetItem', 'UpdateItem'], auditLog: ['PutItem'] } satisfies Tables;
    endpoints(routes.listWebhookEndpoints, 'list-webhook-endpoints', {
      practices: ['GetItem'],
      webhookEndpoints: ['Query'],
    });
    const toUrls = [
      endpoints(routes.createWebhookEndpoint, 'create-webhook-endpoint', {
        practices: ['GetItem'],
        webhookEndpoints: ['Query', 'PutItem'],
        auditLog: ['PutItem'],
      }),
      endpoints(routes.changeWebhookEndpoint, 'change-webhook-endpoint', changing),
      endpoints(routes.moveWebhookEndpoint, 'move-webhook-endpoint', changing),
    ];
    for (const handler of toUrls)
      handler.addEnvironment(settingVariables.allowLoopbackWebhooks, String(stage.allowLoopbackWebhooks));
    endpoints(routes.setWebhookEndpointStatus, 'set-webhook-endpoint-status', changing);
    endpoints(routes.rotateSigningSecret, 'rotate-signing-secret', changing);
    endpoints(routes.revealSigningSecret, 'reveal-signing-secret', {
      webhookEndpoints: ['GetItem'],
      auditLog: ['PutItem'],
    });
    endpoints(routes.deleteWebhookEndpoint, 'delete-webhook-endpoint', {
      webhookEndpoints: ['GetItem', 'DeleteItem'],
      auditLog: ['PutItem'],
    });
    const test = endpoints(routes.testWebhookEndpoint, 'test-webhook-endpoint', {
      webhookEndpoints: ['GetItem'],
      deliveries: ['PutItem'],
      events: ['PutItem'],
      auditLog: ['PutItem'],
    });
    const replay = endpoints(
      routes.replayWebhookEndpoint,
      'replay-webhook-endpoint',
      {
        webhookEndpoints: ['GetItem'],
        deliveries: ['Query:byEndpoint', 'GetItem', 'UpdateItem'],
        auditLog: ['PutItem'],
      },
      // The API waits no longer than 30 seconds.
      Duration.seconds(29),
    );
    for (const handler of [test, replay]) sendTickets(handler, 'deliveries', tickets);

    const settings = area('Settings');
    const changingPractice = { practices: ['GetItem', 'UpdateItem'], auditLog: ['PutItem'] } satisfies Tables;
    settings(routes.getSettings, 'get-settings', { practices: ['GetItem'] });
    settings(routes.changeSettings, 'change-settings', changingPractice);
    const logo = area('Logo')(routes.changeLogo, 'change-logo', changingPractice);
    allowLogos(logo, pageBucket);
    settings(routes.listAuditLog, 'list-audit-log', { auditLog: ['Query'] });
    if (stage.mode === 'sandbox') {
      settings(sandboxRoutes.getTestBank, 'sandbox/get-test-bank', { practices: ['GetItem'] });
      settings(sandboxRoutes.changeTestBankPassword, 'sandbox/change-test-bank-password', changingPractice);
    }
    if (stripe) {
      settings(liveRoutes.acceptTerms, 'live/accept-terms', changingPractice);
      const deposits = area('Deposits');
      // Long enough for two calls to the processor.
      const timeout = Duration.seconds(25);
      stripe.allowUsingAccounts(deposits(liveRoutes.getDeposit, 'live/get-deposit', changingPractice, timeout));
      stripe.allowUsingAccounts(
        deposits(liveRoutes.startDepositOnboarding, 'live/start-deposit-onboarding', changingPractice, timeout),
      );
    }
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
