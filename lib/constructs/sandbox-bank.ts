import type { Function } from 'aws-cdk-lib/aws-lambda';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { settingVariables } from '../../functions/contract/environment.ts';
import type { Data } from './data.ts';
import { sendTickets } from './queues.ts';

/** In milliseconds. */
const outcomeDelay = '3000';

/** Sandbox only. */
export class SandboxBank {
  private readonly data: Data;

  constructor(data: Data) {
    this.data = data;
  }

  allowSubmitting(submit: Function, settlements: Queue): void {
    this.data.grant(submit, 'sandboxDebits', 'GetItem', 'PutItem', 'UpdateItem');
    submit.addEnvironment(settingVariables.sandboxOutcomeDelay, outcomeDelay);
    sendTickets(submit, 'settlements', settlements);
  }

  allowSettling(settle: Function, settlements: Queue): void {
    this.data.grant(settle, 'sandboxDebits', 'GetItem', 'UpdateItem');
    settle.addEnvironment(settingVariables.sandboxOutcomeDelay, outcomeDelay);
    sendTickets(settle, 'settlements', settlements);
  }

  allowVoiding(cancel: Function): void {
    this.data.grant(cancel, 'sandboxDebits', 'GetItem', 'PutItem', 'UpdateItem');
    cancel.addEnvironment(settingVariables.sandboxOutcomeDelay, outcomeDelay);
  }

  allowSweeping(sweep: Function, settlements: Queue): void {
    this.data.grant(sweep, 'sandboxDebits', 'Query:byDue', 'UpdateItem');
    sendTickets(sweep, 'settlements', settlements);
  }
}
