import { Duration } from 'aws-cdk-lib';
import type { Function } from 'aws-cdk-lib/aws-lambda';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { settingVariables } from '../../functions/contract/environment.ts';
import { healthRoute, openApiHeadRoute, openApiRoute } from '../../functions/contract/unlisted-routes.ts';
import type { PracticeRoute } from '../../functions/contract/practice-route.ts';
import { livePlatformApiRoutes, platformApiRoutes } from '../../functions/contract/practices/platform-practices.ts';
import { practiceRoutes, sandboxPracticeRoutes } from '../../functions/contract/routes.ts';
import type { Data } from './data.ts';
import type { PaymentApi } from './http-api.ts';
import { processorTimeout, type StripeAccess, type Processor, type SandboxBank } from './processor.ts';
import { sendTickets } from './queues.ts';
import { functionIdentity, identityOfWriter, serviceFunction } from './service-function.ts';
import type { Stage } from '../settings/stage.ts';

interface PracticeApiProps {
  readonly processor: Processor;
  readonly stripe: StripeAccess | undefined;
  readonly data: Data;
  readonly api: PaymentApi;
  /** APIs that also serve the OpenAPI document and answer unknown paths. */
  readonly otherApis: readonly PaymentApi[];
  readonly hostedPageUrl: string;
  readonly dashboardUrl: string;
  readonly stage: Stage;
  /** The queue of delivery tickets. */
  readonly tickets: Queue;
}

/** Reads that every route needs: the key, the practice and its rate limit. */
function allowIdentifying(handler: Function, data: Data): void {
  data.grant(handler, 'apiKeys', 'GetItem', 'UpdateItem');
  data.grant(handler, 'practices', 'GetItem');
  data.grant(handler, 'rateLimits', 'UpdateItem');
}

export class PracticeApi extends Construct {
  readonly createSession: Function;
  readonly cancelSession: Function;

  constructor(scope: Construct, id: string, props: PracticeApiProps) {
    super(scope, id);
    const { processor, stripe, data, api, hostedPageUrl, stage, tickets } = props;
    const route = (
      name: string,
      file: string,
      declared: PracticeRoute,
      options: Pick<Parameters<typeof serviceFunction>[2], 'environment' | 'identity' | 'timeout'> = {},
    ): Function => {
      const handler = serviceFunction(this, name, { file: `practice-api/${file}`, ...options });
      api.addRoute(name, declared, handler);
      allowIdentifying(handler, data);
      return handler;
    };

    this.createSession = route('CreateSession', 'create-session', practiceRoutes.createSession, {
      environment: { [settingVariables.hostedPageUrl]: hostedPageUrl },
    });
    data.grant(this.createSession, 'sessions', 'GetItem', 'PutItem');
    data.grant(this.createSession, 'invoiceClaims', 'GetItem');
    data.grant(this.createSession, 'idempotencyKeys', 'GetItem', 'PutItem');
    // What a practice has done before live payments, when its platform creates a session.
    if (stage.mode === 'live') data.grant(this.createSession, 'apiKeys', 'Query:byPractice');

    // One role for what only reads the practice, its sessions, events and payouts.
    const reads = { identity: functionIdentity(this, 'Reads') };
    route('GetPractice', 'get-practice', practiceRoutes.getPractice, reads);
    const getSessionStatus = route('GetSessionStatus', 'get-session-status', practiceRoutes.getSessionStatus, reads);
    for (const table of ['sessions', 'invoiceClaims'] as const) data.grant(getSessionStatus, table, 'GetItem');

    const listSessions = route('ListSessions', 'list-sessions', practiceRoutes.listSessions, reads);
    const listIndexes = [
      'Query:byPractice',
      'Query:byPracticeStatus',
      'Query:byInvoice',
      'Query:byPracticeReturned',
    ] as const;
    data.grant(listSessions, 'sessions', ...listIndexes, 'BatchGetItem');
    data.grant(listSessions, 'invoiceClaims', 'BatchGetItem');

    const getAuthorization = route(
      'GetAuthorization',
      'get-authorization',
      practiceRoutes.getAuthorization,
      stripe ? { timeout: processorTimeout } : {},
    );
    for (const table of ['sessions', 'authorizations'] as const) data.grant(getAuthorization, table, 'GetItem');
    stripe?.allowReading(getAuthorization);

    const listEvents = route('ListEvents', 'list-events', practiceRoutes.listEvents, reads);
    data.grant(listEvents, 'sessions', 'GetItem');
    data.grant(listEvents, 'events', 'Query:byPractice', 'Query:byPlatform', 'BatchGetItem');
    data.grant(listEvents, 'practices', 'BatchGetItem');

    const ofMode = stage.mode === 'live' ? 'live' : 'sandbox';
    const listPayouts = route('ListPayouts', `${ofMode}/list-payouts`, practiceRoutes.listPayouts, reads);
    const getPayout = route('GetPayout', `${ofMode}/get-payout`, practiceRoutes.getPayout, reads);
    if (stage.mode === 'live') {
      data.grant(listPayouts, 'payouts', 'Query');
      data.grant(getPayout, 'payouts', 'Query');
      data.grant(getPayout, 'bookings', 'Query');
      data.grant(getPayout, 'sessions', 'BatchGetItem');
    }

    this.cancelSession = route('CancelSession', 'cancel-session', practiceRoutes.cancelSession, {
      timeout: processorTimeout,
    });
    data.grant(this.cancelSession, 'sessions', 'GetItem', 'UpdateItem');
    data.grant(this.cancelSession, 'events', 'PutItem');
    data.grant(this.cancelSession, 'invoiceClaims', 'DeleteItem');
    data.grant(this.cancelSession, 'idempotencyKeys', 'GetItem', 'PutItem', 'DeleteItem');
    processor.allowVoiding(this.cancelSession);
    const erases = { identity: functionIdentity(this, 'ErasePatient') };
    const erase = route('ErasePatient', 'erase-patient', practiceRoutes.erasePatient, erases);
    const { erasePatientOfInvoice } = practiceRoutes;
    const eraseInvoice = route('ErasePatientOfInvoice', 'erase-patient-of-invoice', erasePatientOfInvoice, erases);
    data.grant(eraseInvoice, 'sessions', 'Query:byInvoice');
    for (const erasing of [erase, eraseInvoice]) {
      data.grant(erasing, 'sessions', 'GetItem', 'UpdateItem');
      data.grant(erasing, 'events', 'BatchGetItem', 'PutItem', 'UpdateItem');
      data.grant(erasing, 'auditLog', 'PutItem');
    }

    // One role for what manages webhook endpoints.
    const identity = functionIdentity(this, 'Endpoints');
    const environment = { [settingVariables.allowLoopbackWebhooks]: String(stage.allowLoopbackWebhooks) };
    const toUrl = { identity, environment };
    const { listWebhookEndpoints, createWebhookEndpoint, getWebhookEndpoint, changeWebhookEndpoint } = practiceRoutes;
    const list = route('ListWebhookEndpoints', 'list-webhook-endpoints', listWebhookEndpoints, { identity });
    data.grant(list, 'webhookEndpoints', 'Query');
    const create = route('CreateWebhookEndpoint', 'create-webhook-endpoint', createWebhookEndpoint, toUrl);
    data.grant(create, 'webhookEndpoints', 'Query', 'PutItem');
    data.grant(create, 'idempotencyKeys', 'GetItem', 'PutItem');
    const show = route('GetWebhookEndpoint', 'get-webhook-endpoint', getWebhookEndpoint, { identity });
    data.grant(show, 'webhookEndpoints', 'GetItem');
    const change = route('ChangeWebhookEndpoint', 'change-webhook-endpoint', changeWebhookEndpoint, toUrl);
    data.grant(change, 'webhookEndpoints', 'GetItem', 'UpdateItem');
    const { deleteWebhookEndpoint, rotateSigningSecret, testWebhookEndpoint } = practiceRoutes;
    const remove = route('DeleteWebhookEndpoint', 'delete-webhook-endpoint', deleteWebhookEndpoint, { identity });
    data.grant(remove, 'webhookEndpoints', 'GetItem', 'DeleteItem');
    const rotate = route('RotateSigningSecret', 'rotate-signing-secret', rotateSigningSecret, { identity });
    data.grant(rotate, 'webhookEndpoints', 'GetItem', 'UpdateItem');
    const test = route('TestWebhookEndpoint', 'test-webhook-endpoint', testWebhookEndpoint, { identity });
    data.grant(test, 'webhookEndpoints', 'GetItem');
    data.grant(test, 'deliveries', 'PutItem');
    data.grant(test, 'events', 'PutItem');
    const { listWebhookDeliveries, resendWebhook, replayWebhooks } = practiceRoutes;
    const listSent = route('ListWebhookDeliveries', 'list-webhook-deliveries', listWebhookDeliveries, { identity });
    data.grant(listSent, 'webhookEndpoints', 'GetItem');
    data.grant(listSent, 'deliveries', 'Query:byEndpoint');
    data.grant(listSent, 'practices', 'BatchGetItem');
    const resend = route('ResendWebhook', 'resend-webhook', resendWebhook, { identity });
    data.grant(resend, 'webhookEndpoints', 'GetItem');
    data.grant(resend, 'deliveries', 'GetItem', 'UpdateItem');
    const replay = route('ReplayWebhooks', 'replay-webhooks', replayWebhooks, {
      identity,
      // As long as the API waits, which is 30 seconds.
      timeout: Duration.seconds(29),
    });
    data.grant(replay, 'webhookEndpoints', 'GetItem');
    data.grant(replay, 'deliveries', 'Query:byEndpoint', 'UpdateItem');
    for (const audited of [create, change, remove, rotate, test, resend, replay])
      data.grant(audited, 'auditLog', 'PutItem');
    for (const sending of [test, resend, replay]) sendTickets(sending, 'deliveries', tickets);

    // One role for a platform's own calls.
    const platform = { identity: functionIdentity(this, 'Platform') };
    const { createPractice, listPractices, getPlatformPractice, suspendPractice, resumePractice } = platformApiRoutes;
    const add = route('CreatePractice', 'create-practice', createPractice, platform);
    data.grant(add, 'practices', 'PutItem');
    data.grant(add, 'idempotencyKeys', 'PutItem');
    const practices = route('ListPractices', 'list-practices', listPractices, platform);
    data.grant(practices, 'practices', 'Query:byPlatform', 'BatchGetItem');
    const showPractice = route('GetPlatformPractice', 'get-platform-practice', getPlatformPractice, platform);
    data.grant(showPractice, 'apiKeys', 'Query:byPractice');
    const suspend = route('SuspendPractice', 'suspend-practice', suspendPractice, platform);
    const resume = route('ResumePractice', 'resume-practice', resumePractice, platform);
    for (const changing of [suspend, resume]) data.grant(changing, 'practices', 'UpdateItem');
    for (const audited of [add, suspend, resume]) data.grant(audited, 'auditLog', 'PutItem');
    if (stripe) {
      const { createOnboardingLink } = livePlatformApiRoutes;
      const onboard = route('CreateOnboardingLink', 'live/create-onboarding-link', createOnboardingLink, {
        environment: { [settingVariables.dashboardUrl]: props.dashboardUrl },
        // Long enough for two calls to the processor.
        timeout: Duration.seconds(25),
      });
      data.grant(onboard, 'practices', 'UpdateItem');
      data.grant(onboard, 'auditLog', 'PutItem');
      stripe.allowUsingAccounts(onboard);
    }

    // One role for what needs no key.
    const anyone = functionIdentity(this, 'Anyone');
    const getHealth = serviceFunction(this, 'GetHealth', { file: 'practice-api/get-health', identity: anyone });
    data.grant(getHealth, 'rateLimits', 'GetItem');
    api.addRoute('GetHealth', healthRoute, getHealth);
    const getOpenApiDocument = serviceFunction(this, 'GetOpenApiDocument', {
      file: 'practice-api/get-open-api-document',
      environment: { [settingVariables.apiUrl]: api.url },
      identity: anyone,
    });
    const defaultRoute = serviceFunction(this, 'DefaultRoute', {
      file: 'practice-api/default-route',
      identity: anyone,
    });
    for (const each of [api, ...props.otherApis]) {
      each.addRoute('GetOpenApiDocument', openApiRoute, getOpenApiDocument);
      each.addRoute('HeadOpenApiDocument', openApiHeadRoute, getOpenApiDocument);
      each.addDefaultRoute('DefaultRoute', defaultRoute);
    }
  }
}

interface SandboxApiProps {
  readonly data: Data;
  readonly api: PaymentApi;
  readonly bank: SandboxBank;
  readonly settlements: Queue;
}

/** The routes that simulate the patient and the bank. Sandbox only. */
export class SandboxApi extends Construct {
  constructor(scope: Construct, id: string, { data, api, bank, settlements }: SandboxApiProps) {
    super(scope, id);
    const route = (name: string, file: string, declared: PracticeRoute, identity = functionIdentity(this, name)) => {
      const handler = serviceFunction(this, name, { file: `practice-api/sandbox/${file}`, identity });
      api.addRoute(name, declared, handler);
      allowIdentifying(handler, data);
      data.grant(handler, 'sessions', 'GetItem', 'UpdateItem');
      data.grant(handler, 'events', 'PutItem');
      data.grant(handler, 'invoiceClaims', 'PutItem', 'DeleteItem');
      bank.allowSubmitting(handler, settlements);
      return handler;
    };

    const writer = identityOfWriter(this, 'SimulateSession');
    const simulate = route('SimulateSession', 'simulate-session', sandboxPracticeRoutes.simulateSession, writer);
    data.grant(simulate, 'invoiceClaims', 'GetItem');
    data.grant(simulate, 'authorizations', 'PutItem');
    data.grantSubscriptions(simulate);
    route('AdvanceSession', 'advance-session', sandboxPracticeRoutes.advanceSession);
  }
}
