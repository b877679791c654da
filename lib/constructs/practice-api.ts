import { Duration } from 'aws-cdk-lib';
import type { Function } from 'aws-cdk-lib/aws-lambda';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { settingVariables } from '../../functions/contract/environment.ts';
import { healthRoute, openApiHeadRoute, openApiRoute } from '../../functions/contract/unlisted-routes.ts';
import { livePlatformApiRoutes, platformApiRoutes } from '../../functions/contract/practices/platform-practices.ts';
import { practiceRoutes } from '../../functions/contract/routes.ts';
import { sandboxPracticeRoutes } from '../../functions/contract/sessions/sandbox-session.ts';
import type { Access, Data } from './data.ts';
import { routesIn, throttles, type PaymentApi, type RouteOptions } from './http-api.ts';
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
const callerAccess: Access = {
  apiKeys: ['GetItem', 'UpdateItem'],
  practices: ['GetItem'],
  rateLimits: ['UpdateItem'],
};

export class PracticeApi extends Construct {
  readonly createSession: Function;
  readonly cancelSession: Function;

  constructor(scope: Construct, id: string, props: PracticeApiProps) {
    super(scope, id);
    const { processor, stripe, hostedPageUrl, stage, tickets } = props;
    const isLive = stage.mode === 'live';
    const declared = { ...practiceRoutes, ...platformApiRoutes, ...livePlatformApiRoutes };
    const route = routesIn(this, { ...props, entries: 'practice-api', reads: callerAccess }, declared);

    this.createSession = route('createSession', {
      throttle: throttles.practiceSessions,
      environment: { [settingVariables.hostedPageUrl]: hostedPageUrl },
      access: {
        sessions: ['GetItem', 'PutItem'],
        invoiceClaims: ['GetItem'],
        idempotencyKeys: ['GetItem', 'PutItem'],
        platforms: ['GetItem'],
        // What a practice has done to get ready for live payments, read when its platform creates a session.
        ...(isLive && { apiKeys: ['Query:byPractice'] }),
      },
    });

    // One role for functions that only read the practice, its sessions, events and payouts.
    const identity = functionIdentity(this, 'Reads');
    const reading = { identity, throttle: throttles.practiceSessions };
    route('getPractice', { identity, throttle: throttles.practice });
    route('getSessionStatus', { ...reading, access: { sessions: ['GetItem'], invoiceClaims: ['GetItem'] } });
    route('listSessions', {
      ...reading,
      access: {
        sessions: [
          'Query:byPractice',
          'Query:byPracticeStatus',
          'Query:byInvoice',
          'Query:byPracticeReturned',
          'BatchGetItem',
        ],
        invoiceClaims: ['BatchGetItem'],
      },
    });
    const getAuthorization = route('getAuthorization', {
      throttle: throttles.practiceAuthorizations,
      ...(stripe && { timeout: processorTimeout }),
      access: { sessions: ['GetItem'], authorizations: ['GetItem'] },
    });
    stripe?.allowCalls(getAuthorization);
    route('listEvents', {
      ...reading,
      access: {
        sessions: ['GetItem'],
        events: ['Query:byPractice', 'Query:byPlatform', 'BatchGetItem'],
        practices: ['BatchGetItem'],
      },
    });
    const accounting = {
      identity,
      throttle: throttles.practicePayouts,
      folder: isLive ? 'live/' : 'sandbox/',
    } satisfies RouteOptions;
    route('listPayouts', { ...accounting, access: isLive ? { payouts: ['Query'] } : {} });
    route('getPayout', {
      ...accounting,
      access: isLive ? { payouts: ['Query'], bookings: ['Query'], sessions: ['BatchGetItem'] } : {},
    });

    this.cancelSession = route('cancelSession', {
      throttle: throttles.practiceSessions,
      timeout: processorTimeout,
      access: {
        sessions: ['GetItem', 'UpdateItem'],
        events: ['PutItem'],
        invoiceClaims: ['DeleteItem'],
        idempotencyKeys: ['GetItem', 'PutItem', 'DeleteItem'],
      },
    });
    processor.allowVoiding(this.cancelSession);
    const erasing = {
      throttle: throttles.practiceSessions,
      identity: functionIdentity(this, 'ErasePatient'),
      access: {
        sessions: ['Query:byInvoice', 'GetItem', 'UpdateItem'],
        events: ['BatchGetItem', 'PutItem', 'UpdateItem'],
        auditLog: ['PutItem'],
      },
    } satisfies RouteOptions;
    route('erasePatient', erasing);
    route('erasePatientOfInvoice', { ...erasing, throttle: throttles.practice });

    // One role for functions that manage webhook endpoints.
    const managing = { identity: functionIdentity(this, 'Endpoints'), throttle: throttles.practiceEndpoints };
    const toUrl = {
      ...managing,
      environment: { [settingVariables.allowLoopbackWebhooks]: String(stage.allowLoopbackWebhooks) },
    };
    const auditLog = ['PutItem'] as const;
    route('listWebhookEndpoints', { ...managing, access: { webhookEndpoints: ['Query'] } });
    route('createWebhookEndpoint', {
      ...toUrl,
      access: { webhookEndpoints: ['Query', 'PutItem'], idempotencyKeys: ['GetItem', 'PutItem'], auditLog },
    });
    route('getWebhookEndpoint', { ...managing, access: { webhookEndpoints: ['GetItem'] } });
    route('changeWebhookEndpoint', { ...toUrl, access: { webhookEndpoints: ['GetItem', 'UpdateItem'], auditLog } });
    route('deleteWebhookEndpoint', { ...managing, access: { webhookEndpoints: ['GetItem', 'DeleteItem'], auditLog } });
    route('rotateSigningSecret', { ...managing, access: { webhookEndpoints: ['GetItem', 'UpdateItem'], auditLog } });
    const test = route('testWebhookEndpoint', {
      ...managing,
      access: { webhookEndpoints: ['GetItem'], deliveries: ['PutItem'], events: ['PutItem'], auditLog },
    });
    route('listWebhookDeliveries', {
      ...managing,
      access: { webhookEndpoints: ['GetItem'], deliveries: ['Query:byEndpoint'], practices: ['BatchGetItem'] },
    });
    const resend = route('resendWebhook', {
      ...managing,
      access: { webhookEndpoints: ['GetItem'], deliveries: ['GetItem', 'UpdateItem'], auditLog },
    });
    const replay = route('replayWebhooks', {
      ...managing,
      access: { webhookEndpoints: ['GetItem'], deliveries: ['Query:byEndpoint', 'UpdateItem'], auditLog },
      // As long as the API waits, which is 30 seconds.
      timeout: Duration.seconds(29),
    });
    for (const sending of [test, resend, replay]) sendTickets(sending, 'deliveries', tickets);

    // One role for a platform's own calls.
    const ofPlatform = { identity: functionIdentity(this, 'Platform'), throttle: throttles.platforms };
    route('createPractice', {
      ...ofPlatform,
      access: { practices: ['PutItem'], idempotencyKeys: ['PutItem'], events: ['PutItem'], auditLog },
    });
    route('listPractices', { ...ofPlatform, access: { practices: ['Query:byPlatform', 'BatchGetItem'] } });
    route('getPlatformPractice', { ...ofPlatform, access: { apiKeys: ['Query:byPractice'] } });
    for (const name of ['suspendPractice', 'resumePractice'] as const)
      route(name, { ...ofPlatform, access: { practices: ['UpdateItem'], auditLog } });
    if (stripe)
      stripe.allowUsingAccounts(
        route('createOnboardingLink', {
          throttle: throttles.platforms,
          folder: 'live/',
          environment: { [settingVariables.dashboardUrl]: props.dashboardUrl },
          access: { practices: ['UpdateItem'], auditLog },
          // Long enough for two calls to the processor.
          timeout: Duration.seconds(25),
        }),
      );
    this.addOpenRoutes(props);
  }

  /** One role for routes that need no key. */
  private addOpenRoutes({ api, otherApis, data }: PracticeApiProps): void {
    const identity = functionIdentity(this, 'Anyone');
    const getHealth = serviceFunction(this, 'GetHealth', { file: 'practice-api/get-health', identity });
    data.grant(getHealth, { rateLimits: ['GetItem'] });
    api.addRoute('GetHealth', healthRoute, throttles.health, getHealth);
    const getOpenApiDocument = serviceFunction(this, 'GetOpenApiDocument', {
      file: 'practice-api/get-open-api-document',
      environment: { [settingVariables.apiUrl]: api.url },
      identity,
    });
    const defaultRoute = serviceFunction(this, 'DefaultRoute', { file: 'practice-api/default-route', identity });
    for (const each of [api, ...otherApis]) {
      each.addRoute('GetOpenApiDocument', openApiRoute, throttles.other, getOpenApiDocument);
      each.addRoute('HeadOpenApiDocument', openApiHeadRoute, throttles.other, getOpenApiDocument);
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
  constructor(scope: Construct, id: string, props: SandboxApiProps) {
    super(scope, id);
    const { data, bank, settlements } = props;
    const addRoute = routesIn(this, { ...props, entries: 'practice-api', reads: callerAccess }, sandboxPracticeRoutes);
    const route = (name: keyof typeof sandboxPracticeRoutes, options: Pick<RouteOptions, 'identity'> = {}) => {
      const access: Access = {
        sessions: ['GetItem', 'UpdateItem'],
        events: ['PutItem'],
        invoiceClaims: ['PutItem', 'DeleteItem'],
      };
      const handler = addRoute(name, {
        throttle: throttles.practiceSessions,
        folder: 'sandbox/',
        access,
        ...options,
      });
      bank.allowSubmitting(handler, settlements);
      return handler;
    };
    const simulate = route('simulateSession', { identity: identityOfWriter(this, 'SimulateSession') });
    data.grant(simulate, { invoiceClaims: ['GetItem'], authorizations: ['PutItem'] });
    data.grantSubscriptions(simulate);
    route('advanceSession');
  }
}
