import { Duration, RemovalPolicy, Validations } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { FilterCriteria, FilterRule, StartingPosition, type Function } from 'aws-cdk-lib/aws-lambda';
import { SqsDlq } from 'aws-cdk-lib/aws-lambda-event-sources';
import { BlockPublicAccess, Bucket, BucketEncryption, ObjectLockRetention } from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import { settingVariables } from '../../functions/contract/environment.ts';
import type { SessionEventType } from '../../functions/domain/sessions/transitions.ts';
import { allowObjects } from './bucket-access.ts';
import type { Data } from './data.ts';
import { deadLetterQueue } from './queues.ts';
import { serviceFunction } from './service-function.ts';

interface EvidenceArchiveProps {
  readonly data: Data;
}

/** Seven years, with two leap days. */
const retention = Duration.days(7 * 365 + 2);
const authorized: SessionEventType = 'session.payment.processing';

/** Copies of the evidence that nobody can change or delete. No payment waits for them. */
export class EvidenceArchive extends Construct {
  readonly uncopied = deadLetterQueue(this, 'Uncopied');

  readonly bucket = new Bucket(this, 'Bucket', {
    objectLockEnabled: true,
    objectLockDefaultRetention: ObjectLockRetention.governance(retention),
    versioned: true,
    // With our own key, deleting that key would destroy the evidence.
    encryption: BucketEncryption.S3_MANAGED,
    blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
    enforceSSL: true,
    lifecycleRules: [{ expiration: retention.plus(Duration.days(1)), noncurrentVersionExpiration: Duration.days(1) }],
    removalPolicy: RemovalPolicy.RETAIN,
  });

  private readonly copies = {
    bucket: this.bucket,
    prefix: 'evidence/',
    reason: 'A copy is named by its practice and its session.',
  };

  constructor(scope: Construct, id: string, { data }: EvidenceArchiveProps) {
    super(scope, id);
    Validations.of(this.bucket).acknowledge({
      id: 'AwsSolutions::AwsSolutions-S1',
      reason: 'Two functions write to it, and nothing serves it.',
    });

    const copy = serviceFunction(this, 'Copy', {
      file: 'triggers/live/archive-evidence',
      timeout: Duration.seconds(30),
    });
    data.grant(copy, { authorizations: ['GetItem'] });
    this.allowCopying(copy);

    // A shard has room for two readers, and this is the second. The hourly check copies what this one gives up on.
    copy.addEventSourceMapping('Authorizations', {
      eventSourceArn: data.grantStream(copy, 'events'),
      startingPosition: StartingPosition.TRIM_HORIZON,
      batchSize: 25,
      bisectBatchOnError: true,
      reportBatchItemFailures: true,
      retryAttempts: 20,
      maxRecordAge: Duration.hours(1),
      onFailure: new SqsDlq(this.uncopied),
      filters: [
        FilterCriteria.filter({
          eventName: FilterRule.isEqual('INSERT'),
          dynamodb: { NewImage: { type: { S: FilterRule.isEqual(authorized) } } },
        }),
      ],
    });
  }

  /** Allows only puts: no reads, no deletes, no shorter retention. */
  allowCopying(copier: Function): void {
    allowObjects(copier, 's3:PutObject', this.copies);
    copier.addEnvironment(settingVariables.evidenceBucket, this.bucket.bucketName);
  }

  allowChecking(checker: Function): void {
    this.allowCopying(checker);
    // S3 allows HEAD only with read permission, and answers 404 only with list permission.
    allowObjects(checker, 's3:GetObject', this.copies);
    checker.addToRolePolicy(new PolicyStatement({ actions: ['s3:ListBucket'], resources: [this.bucket.bucketArn] }));
  }
}
