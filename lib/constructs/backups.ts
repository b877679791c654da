import { Duration, Fn, NestedStack, RemovalPolicy, Stack, Validations } from 'aws-cdk-lib';
import { CfnBackupPlan, CfnBackupSelection, CfnBackupVault } from 'aws-cdk-lib/aws-backup';
import type { TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { AccountPrincipal, ManagedPolicy, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Key } from 'aws-cdk-lib/aws-kms';
import type { Bucket } from 'aws-cdk-lib/aws-s3';
import type { Construct } from 'constructs';
import { backupKeyDescription, type BackupVault } from '../settings/backup-vault.ts';

interface BackupsProps {
  readonly tables: readonly TableV2[];
  /** Production only. */
  readonly evidence: Bucket | undefined;
  readonly copyTo: BackupVault;
}

/** The same as for the tables' own backups. */
const kept = Duration.days(35).toDays();

const policies = ['service-role/AWSBackupServiceRolePolicyForBackup', 'AWSBackupServiceRolePolicyForS3Backup'];

/** Daily backups, each copied to a vault elsewhere, whose owner must allow it. */
export class Backups extends NestedStack {
  constructor(scope: Construct, id: string, { tables, evidence, copyTo }: BackupsProps) {
    super(scope, id);
    // Kept short, as in gradual-deploys.ts.
    this.nestedStackResource?.overrideLogicalId(id);
    const name = Stack.of(scope).stackName;
    const role = new Role(this, 'Role', {
      assumedBy: new ServicePrincipal('backup.amazonaws.com'),
      managedPolicies: policies.map((policy) => ManagedPolicy.fromAwsManagedPolicyName(policy)),
    });
    for (const policy of policies)
      Validations.of(role).acknowledge({
        id: `AwsSolutions::AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/${policy}]`,
        reason: "AWS's own for backups. What is backed up is listed in the selection.",
      });
    // Do not use the tables' key: the other account uses this one to read backups.
    const key = new Key(this, 'Key', { description: backupKeyDescription, enableKeyRotation: true });
    key.addToResourcePolicy(copying(copyTo.account));
    // An earlier vault may still exist: a part of the nested stack's ID tells them apart.
    const part = Fn.select(0, Fn.split('-', Fn.select(2, Fn.split('/', this.stackId))));
    const vault = new CfnBackupVault(this, 'Vault', {
      backupVaultName: `${name}-${part}`,
      encryptionKeyArn: key.keyArn,
    });
    // AWS deletes only empty vaults.
    vault.applyRemovalPolicy(RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE);
    const lifecycle = { deleteAfterDays: kept };
    const plan = new CfnBackupPlan(this, 'Plan', {
      backupPlan: {
        backupPlanName: name,
        backupPlanRule: [
          {
            ruleName: 'daily',
            targetBackupVault: vault.attrBackupVaultName,
            scheduleExpression: 'cron(0 5 * * ? *)',
            lifecycle,
            copyActions: [{ destinationBackupVaultArn: copyTo.arn, lifecycle }],
          },
        ],
      },
    });
    new CfnBackupSelection(this, 'Selection', {
      backupPlanId: plan.attrBackupPlanId,
      backupSelection: {
        selectionName: 'tables-and-evidence',
        iamRoleArn: role.roleArn,
        resources: [...tables.map(({ tableArn }) => tableArn), ...(evidence ? [evidence.bucketArn] : [])],
      },
    });
  }
}

/** Names the role in a condition, because a policy cannot name a role that does not exist yet. */
function copying(account: string): PolicyStatement {
  return new PolicyStatement({
    principals: [new AccountPrincipal(account)],
    actions: ['kms:Decrypt', 'kms:DescribeKey', 'kms:GenerateDataKey*', 'kms:ReEncrypt*', 'kms:CreateGrant'],
    resources: ['*'],
    conditions: {
      StringLike: { 'aws:PrincipalArn': `arn:*:iam::${account}:role/aws-service-role/backup.amazonaws.com/*` },
    },
  });
}
