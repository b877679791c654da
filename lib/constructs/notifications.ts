import { Duration } from 'aws-cdk-lib';
import { Rule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import { FilterCriteria, FilterRule, StartingPosition, type Function } from 'aws-cdk-lib/aws-lambda';
import { SqsDlq } from 'aws-cdk-lib/aws-lambda-event-sources';
import { Construct } from 'constructs';
import { settingVariables } from '../../functions/contract/environment.ts';
import { alertTypes, busEventSource } from '../../functions/contract/webhooks/tickets.ts';
import type { Mode } from '../../functions/domain/mode.ts';
import { sensitiveActions } from '../../functions/domain/team/sensitive-action.ts';
import { queueConcurrency } from './concurrency.ts';
import type { Data } from './data.ts';
import { allowMail } from './mail.ts';
import type { PaymentEvents } from './payment-events.ts';
import { consumeTickets, deadLetterQueue, sendTickets, ticketQueue, ticketTimeout } from './queues.ts';
import { keepFailures, serviceFunction } from './service-function.ts';

interface NotificationsProps {
  readonly bundles: string;
  readonly mode: Mode;
  readonly data: Data;
  readonly events: PaymentEvents;
  readonly dashboardUrl: string;
  readonly mailFrom: string;
}

/** Mails to members. Does not exist in a stack without `mailFrom`. */
export class Notifications extends Construct {
  readonly failedMails = deadLetterQueue(this, 'FailedMails');
  readonly mails = ticketQueue(this, 'Mails', this.failedMails);
  readonly unread = deadLetterQueue(this, 'Unread');
  readonly unsent = deadLetterQueue(this, 'Unsent');
  readonly undelivered = deadLetterQueue(this, 'Undelivered');
  readonly notifyAdmins: Function;

  constructor(scope: Construct, id: string, props: NotificationsProps) {
    super(scope, id);
    const { bundles, mode, data, events, dashboardUrl, mailFrom } = props;

    const admins = serviceFunction(this, 'NotifyAdmins', { bundles, file: 'triggers/notify-admins' });
    this.notifyAdmins = admins;
    data.grant(admins, 'members', 'Query');
    data.grant(admins, 'auditLog', 'GetItem');
    admins.addEventSourceMapping('AuditLog', {
      eventSourceArn: data.grantStream(admins, 'auditLog'),
      startingPosition: StartingPosition.TRIM_HORIZON,
      batchSize: 10,
      reportBatchItemFailures: true,
      // An SES outage should delay mails, not lose them.
      maxRecordAge: Duration.hours(12),
      onFailure: new SqsDlq(this.unread),
      filters: [
        FilterCriteria.filter({
          eventName: FilterRule.isEqual('INSERT'),
          dynamodb: { NewImage: { action: { S: FilterRule.or(...sensitiveActions(mode)) } } },
        }),
      ],
    });

    const members = serviceFunction(this, 'NotifyMembers', { bundles, file: 'triggers/notify-members' });
    data.grant(members, 'members', 'Query');
    keepFailures(members, this.unsent);
    new Rule(this, 'Alert', {
      eventBus: events.bus,
      eventPattern: { source: [busEventSource], detailType: [...alertTypes] },
      targets: [new LambdaFunction(members, { deadLetterQueue: this.undelivered })],
    });

    const send = serviceFunction(this, 'SendMail', {
      bundles,
      file: 'triggers/send-mail',
      timeout: ticketTimeout,
      environment: { [settingVariables.dashboardUrl]: dashboardUrl },
    });
    consumeTickets(send, this.mails, queueConcurrency.mail);
    allowMail(send, mailFrom);
    for (const table of ['members', 'auditLog', 'practices', 'webhookEndpoints', 'sessions'] as const)
      data.grant(send, table, 'GetItem');

    for (const each of [admins, members]) sendTickets(each, 'mails', this.mails);
  }
}
