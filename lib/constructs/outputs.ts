import { CfnOutput, type Stack } from 'aws-cdk-lib';
import type { Dashboard as OperationsDashboard } from 'aws-cdk-lib/aws-cloudwatch';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import { keptSettings, secretNumberOutput, settingsOutput, type KeptSettings } from '../deploy/kept-settings.ts';
import type { OwnDomain } from '../settings/own-domain.ts';
import type { Stage } from '../settings/stage.ts';
import type { Data } from './data.ts';
import type { deadLettersOf } from './dead-letters.ts';
import type { EvidenceArchive } from './evidence-archive.ts';
import type { PaymentApi } from './http-api.ts';
import type { Dashboard, HostedPage, SecurityContact } from './pages.ts';
import type { SignIn } from './sign-in.ts';

interface Told extends KeptSettings {
  readonly stage: Stage;
  readonly region: string;
  readonly originSecretNumber?: number | undefined;
  readonly securityContact?: SecurityContact | undefined;
  readonly data: Data;
  readonly api: PaymentApi;
  readonly page: HostedPage;
  readonly dashboard: Dashboard;
  readonly docsUrl: string;
  readonly signIn: SignIn;
  readonly archive: EvidenceArchive | undefined;
  readonly deadLetters: ReturnType<typeof deadLettersOf>;
  readonly alarmTopic: ITopic;
  readonly operationsDashboard: OperationsDashboard;
}

/** What a deploy prints, and what the operator's command, the next deploy and the local run read. */
export function tellOutputs(stack: Stack, { data, api, page, dashboard, docsUrl, signIn, ...settings }: Told): void {
  const { stage, securityContact, archive, deadLetters, alarmTopic, operationsDashboard } = settings;
  const output = (name: string, value: string, description?: string) =>
    new CfnOutput(stack, name, { value, ...(description !== undefined && { description }) });
  const targetOf = (part: string, own: OwnDomain | undefined, target: string | undefined) => {
    if (own && target !== undefined) output(`${part}Target`, target, `The target of the DNS record for ${own.name}`);
  };
  output('ApiUrl', api.url);
  targetOf('Api', settings.apiDomain, api.domainTarget);
  output(
    secretNumberOutput,
    String(settings.originSecretNumber ?? 1),
    'The number of the secret that the distributions send: deploy again with this, or one more',
  );
  output(settingsOutput, JSON.stringify(keptSettings(settings)), 'Deploy again with these');
  output('HostedPageUrl', page.url);
  targetOf('HostedPage', settings.domain, page.distribution.distributionDomainName);
  output('DashboardUrl', dashboard.url);
  output('DocsUrl', `${docsUrl}/`);
  targetOf('Dashboard', settings.dashboardDomain, dashboard.distribution.distributionDomainName);
  output(
    'OperationsDashboardUrl',
    `https://${settings.region}.console.aws.amazon.com/cloudwatch/home?region=${settings.region}#dashboards:name=${operationsDashboard.dashboardName}`,
  );
  if (securityContact)
    output('SecurityContactExpires', securityContact.expires, 'When security.txt expires: deploy again before');
  output('AlarmTopic', alarmTopic.topicArn, 'Publishes every alarm');
  if (archive)
    output(
      'EvidenceArchiveBucket',
      archive.bucket.bucketName,
      'Keeps every authorization for seven years, even without the stack',
    );
  const tables = Object.fromEntries(Object.entries(data.tables).map(([name, { tableName }]) => [name, tableName]));
  const queues = Object.entries(deadLetters).map(([name, { queue, kind, ...rest }]) => ({
    name,
    queueUrl: queue.queueUrl,
    kind,
    ...('target' in rest && { target: rest.target.queueUrl }),
  }));
  output(
    'OperatorSettings',
    stack.toJsonString({
      mode: stage.mode,
      tables,
      deadLetters: queues,
      pageBucket: page.bucket.bucketName,
      evidenceBucket: archive?.bucket.bucketName,
      apiUrl: api.url,
      dashboardUrl: dashboard.url,
      issuer: signIn.issuer.url,
      userPoolId: signIn.userPool?.userPoolId,
    }),
  );
}
