import { EventField, Match, Rule, RuleTargetInput, type EventBus } from 'aws-cdk-lib/aws-events';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { Topic } from 'aws-cdk-lib/aws-sns';
import type { Construct } from 'constructs';
import { busEventSource } from '../../functions/contract/webhooks/tickets.ts';

const endpoint = EventField.fromPath('$.detail.endpointId');
const practice = EventField.fromPath('$.detail.practiceId');

/** Publishes events for the owners of webhook endpoints to the operator's topic. IDs only. */
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
          'This stack sends no mail to practices: tell this one.',
      ),
    }),
  });
  // Not CDK's own target, which lets every rule of every account publish.
  topic.addToResourcePolicy(
    new PolicyStatement({
      principals: [new ServicePrincipal('events.amazonaws.com')],
      actions: ['sns:Publish'],
      resources: [topic.topicArn],
      conditions: { ArnEquals: { 'aws:SourceArn': rule.ruleArn } },
    }),
  );
}
