import { Duration } from 'aws-cdk-lib';
import { Rule, EventField, Match, RuleTargetInput, type EventBus } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import { FilterCriteria, FilterRule, StartingPosition, type Function } from 'aws-cdk-lib/aws-lambda';
import { SqsDlq } from 'aws-cdk-lib/aws-lambda-event-sources';
import { Construct } from 'constructs';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { Topic } from 'aws-cdk-lib/aws-sns';
import { settingVariables } from '../../functions/contract/environment.ts';
import { alertTypes, busEventSource } from '../../functions/contract/webhooks/tickets.ts';
import type { Mode } from '../../functions/domain/mode.ts';
import { sensitiveActions } from '../../functions/domain/team/sensitive-action.ts';
import {
  queueConcurrency,
  consumeTickets,
  deadLetterQueue,
  sendTickets,
  ticketQueue,
  ticketTimeout,
} from './queues.ts';
import type { Data } from './data.ts';
import { allowMail } from './mail.ts';
import type { PaymentEvents } from './payment-events.ts';
import { keepFailures, runEvery, serviceFunction } from './service-function.ts';

interface NotificationsProps {
  readonly mode: Mode;
  readonly data: Data;
  readonly events: PaymentEvents;
  readonly dashboardUrl: string;
  readonly mailFrom: string;
}

/** Emails to members. Does not exist in a stack without `mailFrom`. */
export class Notifications extends Construct {
  readonly failedMails = deadLetterQueue(this, 'FailedMails');
  readonly mails = ticketQueue(this, 'Mails', this.failedMails);
  readonly unread = deadLetterQueue(this, 'Unread');
  readonly unsent = deadLetterQueue(this, 'Unsent');
  readonly undelivered = deadLetterQueue(this, 'Undelivered');
  readonly notifyAdmins: Function;

  constructor(scope: Construct, id: string, props: NotificationsProps) {
    super(scope, id);
    const { mode, data, events, dashboardUrl, mailFrom } = props;

    const admins = serviceFunction(this, 'NotifyAdmins', { file: 'triggers/notify-admins' });
    this.notifyAdmins = admins;
    data.grant(admins, { members: ['Query'], auditLog: ['GetItem'] });
    admins.addEventSourceMapping('AuditLog', {
      eventSourceArn: data.grantStream(admins, 'auditLog'),
      startingPosition: StartingPosition.TRIM_HORIZON,
      batchSize: 10,
      reportBatchItemFailures: true,
      // An SES outage should delay emails, not lose them.
      maxRecordAge: Duration.hours(12),
      onFailure: new SqsDlq(this.unread),
      filters: [
        FilterCriteria.filter({
          eventName: FilterRule.isEqual('INSERT'),
          dynamodb: { NewImage: { action: { S: FilterRule.or(...sensitiveActions(mode)) } } },
        }),
      ],
    });

    const members = serviceFunction(this, 'NotifyMembers', { file: 'triggers/notify-members' });
    data.grant(members, { members: ['Query'], rateLimits: ['UpdateItem'] });
    keepFailures(members, this.unsent);
    new Rule(this, 'Alert', {
      eventBus: events.bus,
      eventPattern: { source: [busEventSource], detailType: [...alertTypes] },
      targets: [new LambdaFunction(members, { deadLetterQueue: this.undelivered })],
    });

    const summaries = serviceFunction(this, 'MailSummaries', {
      file: 'triggers/mail-summaries',
      timeout: Duration.minutes(5),
    });
    data.grant(summaries, { practices: ['Scan'], members: ['Query'], rateLimits: ['UpdateItem'] });
    runEvery(this, 'EveryHour', {
      interval: Duration.hours(1),
      handler: summaries,
      failures: this.unsent,
      undelivered: this.undelivered,
    });

    const send = serviceFunction(this, 'SendMail', {
      file: 'triggers/send-mail',
      timeout: ticketTimeout,
      environment: { [settingVariables.dashboardUrl]: dashboardUrl },
    });
    consumeTickets(send, this.mails, queueConcurrency.mail);
    allowMail(send, mailFrom);
    data.grant(send, {
      members: ['GetItem'],
      auditLog: ['GetItem'],
      practices: ['GetItem'],
      platforms: ['GetItem'],
      webhookEndpoints: ['GetItem'],
      sessions: ['GetItem', 'BatchGetItem', 'Query:byPracticeStatus'],
      events: ['Query:byPractice'],
    });

    for (const each of [admins, members, summaries]) sendTickets(each, 'mails', this.mails);
  }
}

const endpoint = EventField.fromPath('$.detail.endpointId');
const practice = EventField.fromPath('$.detail.practiceId');

/** Publishes events for the owners of webhook endpoints to the operator's topic, with IDs only. */
export function tellOperator(scope: Construct, id: string, { bus, topic }: { bus: EventBus; topic: Topic }): void {
  const rule = new Rule(scope, id, {
    eventBus: bus,
    eventPattern: { source: [busEventSource], detailType: Match.prefix('webhook.endpoint.') },
  });
  rule.addTarget({
    bind: () => ({
      arn: topic.topicArn,
      input: RuleTargetInput.fromText(
        `${EventField.detailType}: webhook endpoint ${endpoint} of practice ${practice}, at ${EventField.time}. ` +
          'This stack sends no email to practices: tell this one.',
      ),
    }),
  });
  // Do not use CDK's own target: it lets every rule in every account publish.
  topic.addToResourcePolicy(
    new PolicyStatement({
      principals: [new ServicePrincipal('events.amazonaws.com')],
      actions: ['sns:Publish'],
      resources: [topic.topicArn],
      conditions: { ArnEquals: { 'aws:SourceArn': rule.ruleArn } },
    }),
  );
}
