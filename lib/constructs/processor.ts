import type { Function } from 'aws-cdk-lib/aws-lambda';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { ArnFormat, Stack, Duration } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import { settingVariables, stripeVariables } from '../../functions/contract/environment.ts';
import { receiveStripeEventRoute } from '../../functions/contract/payments/stripe.ts';
import type { Data } from './data.ts';
import { throttles, type PaymentApi } from './http-api.ts';
import { sendTickets } from './queues.ts';
import { serviceFunction } from './service-function.ts';
import type { StripeSettings } from '../settings/stripe.ts';
import type { Stage } from '../settings/stage.ts';

/** In milliseconds. */
const outcomeDelay = '3000';

/** Sandbox only. */
export class SandboxBank {
  private readonly data: Data;

  constructor(data: Data) {
    this.data = data;
  }

  allowSubmitting(submit: Function, settlements: Queue): void {
    this.allowVoiding(submit);
    sendTickets(submit, 'settlements', settlements);
  }

  allowSettling(settle: Function, settlements: Queue): void {
    this.data.grant(settle, { sandboxDebits: ['GetItem', 'UpdateItem'] });
    settle.addEnvironment(settingVariables.sandboxOutcomeDelay, outcomeDelay);
    sendTickets(settle, 'settlements', settlements);
  }

  allowVoiding(cancel: Function): void {
    this.data.grant(cancel, { sandboxDebits: ['GetItem', 'PutItem', 'UpdateItem'] });
    cancel.addEnvironment(settingVariables.sandboxOutcomeDelay, outcomeDelay);
  }

  allowRefunding(refund: Function, settlements: Queue): void {
    this.allowSettling(refund, settlements);
  }

  allowSweeping(sweep: Function, settlements: Queue): void {
    this.data.grant(sweep, { sandboxDebits: ['Query:byDue', 'UpdateItem'] });
    sendTickets(sweep, 'settlements', settlements);
  }
}

/** Live mode only. */
export class StripeAccess {
  private readonly data: Data;
  private readonly settings: StripeSettings;

  constructor(data: Data, settings: StripeSettings) {
    this.data = data;
    this.settings = settings;
  }

  /** Needed for calls about a practice's account, which differ by charge type. */
  allowUsingAccounts(caller: Function): void {
    this.allowCalls(caller);
    caller.addEnvironment(stripeVariables.chargeType, this.settings.chargeType);
  }

  allowSubmitting(submit: Function): void {
    this.allowCalls(submit);
    this.data.grant(submit, { processorDebits: ['GetItem', 'UpdateItem'], authorizations: ['GetItem'] });
  }

  allowSettling(settle: Function, settlements: Queue): void {
    this.allowCalls(settle);
    sendTickets(settle, 'settlements', settlements);
    this.data.grant(settle, { processorDebits: ['GetItem'], processorEvents: ['UpdateItem'] });
  }

  allowVoiding(cancel: Function): void {
    this.allowCalls(cancel);
    this.data.grant(cancel, { processorDebits: ['GetItem', 'UpdateItem'] });
  }

  allowRefunding(refund: Function): void {
    this.allowVoiding(refund);
  }

  allowReceiving(receive: Function, settlements: Queue): void {
    this.allowUsingAccounts(receive);
    this.allowStoring(receive, settlements);
    this.data.grant(receive, { practices: ['Scan', 'GetItem', 'UpdateItem'], auditLog: ['PutItem'] });
  }

  allowSweeping(sweep: Function, settlements: Queue): void {
    this.data.grant(sweep, { processorEvents: ['Query:byDue', 'UpdateItem'] });
    sendTickets(sweep, 'settlements', settlements);
  }

  allowReconciling(reconcile: Function, settlements: Queue): void {
    this.allowUsingAccounts(reconcile);
    this.data.grant(reconcile, { practices: ['GetItem', 'UpdateItem'], auditLog: ['PutItem'] });
    this.allowStoring(reconcile, settlements);
    this.data.grant(reconcile, {
      reconciliations: ['Scan', 'UpdateItem'],
      bookings: ['PutItem', 'Query'],
      sessions: ['BatchGetItem'],
      payouts: ['PutItem', 'Query'],
    });
  }

  private allowStoring(store: Function, settlements: Queue): void {
    this.data.grant(store, { processorDebits: ['GetItem', 'Query:byDebit'], processorEvents: ['PutItem'] });
    sendTickets(store, 'settlements', settlements);
  }

  /** Lets it read Stripe's keys, which is all it needs to look up a debit. */
  allowCalls(caller: Function): void {
    caller.addEnvironment(stripeVariables.secretId, this.settings.secret);
    caller.addToRolePolicy(
      new PolicyStatement({ actions: ['secretsmanager:GetSecretValue'], resources: [this.secretArn(caller)] }),
    );
    caller.addEnvironment(stripeVariables.apiBase, this.settings.apiBase);
    caller.addEnvironment(stripeVariables.allowTestKeys, String(this.settings.allowTestKeys));
  }

  private secretArn(caller: Function): string {
    const { secret } = this.settings;
    if (secret.startsWith('arn:')) return secret;
    return Stack.of(caller).formatArn({
      service: 'secretsmanager',
      resource: 'secret',
      // Secrets Manager appends six characters to the name.
      resourceName: `${secret}-??????`,
      arnFormat: ArnFormat.COLON_RESOURCE_NAME,
    });
  }
}

/** Long enough for two processor calls that time out. The API waits up to 30 seconds. */
export const processorTimeout = Duration.seconds(25);

export type Processor = SandboxBank | StripeAccess;

export function processorOf(stage: Stage, data: Data, settings: StripeSettings | undefined) {
  if (stage.mode === 'sandbox') {
    const sandboxBank = new SandboxBank(data);
    return { processor: sandboxBank, sandboxBank };
  }
  if (!settings) throw new Error('A live stage needs the settings of Stripe.');
  const stripe = new StripeAccess(data, settings);
  return { processor: stripe, stripe };
}

interface ProcessorApiProps {
  readonly api: PaymentApi;
  readonly stripe: StripeAccess;
  readonly settlements: Queue;
}

export class ProcessorApi extends Construct {
  constructor(scope: Construct, id: string, { api, stripe, settlements }: ProcessorApiProps) {
    super(scope, id);
    const receive = serviceFunction(this, 'ReceiveStripeEvent', {
      file: 'processor-api/live/receive-stripe-event',
      timeout: processorTimeout,
    });
    api.addRoute('ReceiveStripeEvent', receiveStripeEventRoute, throttles.processor, receive);
    stripe.allowReceiving(receive, settlements);
  }
}
