import { Duration } from 'aws-cdk-lib';
import { EventBus } from 'aws-cdk-lib/aws-events';
import { FilterCriteria, FilterRule, StartingPosition, type Function } from 'aws-cdk-lib/aws-lambda';
import { SqsDlq } from 'aws-cdk-lib/aws-lambda-event-sources';
import { Construct } from 'constructs';
import { settingVariables } from '../../functions/contract/environment.ts';
import { reservedConcurrency, deadLetterQueue, sendTickets } from './queues.ts';
import type { Data } from './data.ts';
import { serviceFunction } from './service-function.ts';
import { testEventType } from '../../functions/domain/webhooks/event.ts';

interface PaymentEventsProps {
  readonly data: Data;
  readonly reserve: boolean;
}

export class PaymentEvents extends Construct {
  readonly bus = new EventBus(this, 'Bus', { description: 'Payment session events; ids only' });

  readonly unpublished = deadLetterQueue(this, 'Unpublished');
  readonly unreadable = deadLetterQueue(this, 'Unreadable');
  readonly publish: Function;

  constructor(scope: Construct, id: string, { data, reserve }: PaymentEventsProps) {
    super(scope, id);
    this.publish = serviceFunction(this, 'PublishEvents', {
      file: 'triggers/publish-events',
      timeout: Duration.seconds(30),
      reserved: reserve ? reservedConcurrency.publish : undefined,
    });
    this.allowPublishing(this.publish);
    sendTickets(this.publish, 'unreadableEvents', this.unreadable);

    // After an hour, the sweep republishes them.
    this.publish.addEventSourceMapping('Outbox', {
      eventSourceArn: data.grantStream(this.publish, 'events'),
      startingPosition: StartingPosition.TRIM_HORIZON,
      batchSize: 100,
      bisectBatchOnError: true,
      reportBatchItemFailures: true,
      retryAttempts: 20,
      maxRecordAge: Duration.hours(1),
      onFailure: new SqsDlq(this.unpublished),
      // Includes rows without a type: they are invalid, and are parked.
      filters: [
        FilterCriteria.filter({
          eventName: FilterRule.isEqual('INSERT'),
          dynamodb: {
            NewImage: { type: { S: [...FilterRule.notEquals(testEventType), ...FilterRule.notExists()] } },
          },
        }),
      ],
    });
  }

  allowPublishing(publisher: Function): void {
    this.bus.grantPutEventsTo(publisher);
    publisher.addEnvironment(settingVariables.eventBusName, this.bus.eventBusName);
  }
}
