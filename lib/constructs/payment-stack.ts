import { Stack, Tags, type App } from 'aws-cdk-lib';
import { HttpApi } from 'aws-cdk-lib/aws-apigatewayv2';
import { Alarms } from './alarms.ts';
import { Backups } from './backups.ts';
import { monthlyBudget } from './budget.ts';
import { DashboardApi } from './dashboard-api.ts';
import { Dashboard, HostedPage, type SecurityContact } from './pages.ts';
import { Data } from './data.ts';
import type { Build } from '../build/build.ts';
import { deadLettersOf } from './dead-letters.ts';
import { Debits } from './debits.ts';
import { Expirations, addProbe, Reconciliation, Retention, Sweep } from './scheduled-work.ts';
import { Gateway } from './gateway.ts';
import { aliasOf, GradualDeploys } from './gradual-deploys.ts';
import { PaymentApi } from './http-api.ts';
import { EvidenceArchive } from './evidence-archive.ts';
import { Notifications, tellOperator } from './notifications.ts';
import { operationsDashboard } from './operations-dashboard.ts';
import type { KeptSettings } from '../deploy/kept-settings.ts';
import { OriginSecret } from './origin-secret.ts';
import { tellOutputs } from './outputs.ts';
import { PatientApi } from './patient-api.ts';
import { PaymentEvents } from './payment-events.ts';
import { PracticeApi, SandboxApi } from './practice-api.ts';
import { ProcessorApi, processorOf } from './processor.ts';
import { retainData } from '../settings/settings.ts';
import { useBundles } from './service-function.ts';
import { SignIn } from './sign-in.ts';
import { stackDescriptions, stackNames, type Stage } from '../settings/stage.ts';
import { webAclArn } from './web-acl.ts';
import { Webhooks } from './webhooks.ts';

interface PaymentStackProps extends KeptSettings {
  readonly stage: Stage;
  readonly region: string;
  /** Deletion protection, turned on from the second deploy on. */
  readonly protect?: boolean;
  /** Increase it by one to rotate the secret in the next deploy. */
  readonly originSecretNumber?: number | undefined;
  readonly securityContact?: SecurityContact | undefined;
  readonly runbook: string;
  readonly built: Omit<Build, keyof AsyncDisposable>;
}

export class PaymentStack extends Stack {
  constructor(app: App, props: PaymentStackProps) {
    const { stage, region, domain, dashboardDomain, issuer, mailFrom, runbook } = props;
    const { built, securityContact, protect = true, reserve = false } = props;
    super(app, stackNames[stage.name], {
      description: stackDescriptions[stage.name],
      env: { region },
      terminationProtection: protect,
    });
    retainData(this);
    useBundles(this, built.functions);

    const data = new Data(this, 'Data', { mode: stage.mode, protect });
    const { processor, stripe, sandboxBank } = processorOf(stage, data, props.stripe);
    const events = new PaymentEvents(this, 'Events', { data, reserve });
    const debits = new Debits(this, 'Debits', { processor, data, events, reserve });
    const webhooks = new Webhooks(this, 'Webhooks', { stage, data, events });
    const expirations = new Expirations(this, 'Expirations', { data });
    const sweep = new Sweep(this, 'Sweep', {
      processor,
      data,
      events,
      expirations,
      debits,
      webhooks,
      reserve,
    });
    const archive = stripe && new EvidenceArchive(this, 'EvidenceArchive', { data });
    new Retention(this, 'Retention', { data, sweep });
    const reconciliation =
      stripe &&
      archive &&
      new Reconciliation(this, 'Reconciliation', { data, stripe, archive, settlements: debits.settlements });

    const practicesApi = new HttpApi(this, 'HttpApi', { createDefaultStage: false });
    // Unpublished: calls that bypass the distributions would use up the routes' throttles before a function rejects them.
    const pagesApi = new HttpApi(this, 'PagesHttpApi', { createDefaultStage: false });
    const gateway = new Gateway(this, 'Gateway', [practicesApi, pagesApi]);
    const webAcl = webAclArn(this, stage, props.webAcl);
    const originSecret = new OriginSecret(this, 'OriginSecret', props.originSecretNumber ?? 1);
    const page = new HostedPage(this, 'HostedPage', {
      page: built.hostedPage,
      viewerFunctions: built.viewerFunctions,
      api: pagesApi,
      originSecret,
      domain,
      webAclArn: webAcl,
      hasBankPicker: stage.mode === 'live',
      securityContact,
    });
    const dashboard = new Dashboard(this, 'Dashboard', {
      page: built.dashboard,
      viewerFunctions: built.viewerFunctions,
      api: pagesApi,
      originSecret,
      logos: page.bucket,
      domain: dashboardDomain,
      webAclArn: webAcl,
      securityContact,
    });
    const docsUrl = `${dashboard.url}/docs`;
    const api = new PaymentApi(this, 'Api', { httpApi: practicesApi, gateway, docsUrl, domain: props.apiDomain });
    const forPages = new PaymentApi(this, 'PagesApi', {
      httpApi: pagesApi,
      gateway,
      docsUrl,
      stageVariables: originSecret.stageVariables,
    });
    for (const { distribution, documents } of [page, dashboard]) {
      forPages.stage.node.addDependency(distribution);
      // A new page can call routes and fields that only the new API has.
      documents.node.addDependency(forPages.stage);
    }
    const signIn = new SignIn(this, 'SignIn', { dashboardUrl: dashboard.url, issuer, protect });
    const practiceApi = new PracticeApi(this, 'PracticeApi', {
      processor,
      stripe,
      data,
      api,
      otherApis: [forPages],
      hostedPageUrl: page.url,
      dashboardUrl: dashboard.url,
      stage,
      tickets: webhooks.tickets,
    });
    if (sandboxBank)
      new SandboxApi(this, 'SandboxApi', { data, api, bank: sandboxBank, settlements: debits.settlements });
    if (stripe) addProbe(sweep, { apiUrl: api.url, hostedPageUrl: page.url, dashboardUrl: dashboard.url });
    if (stripe) new ProcessorApi(this, 'ProcessorApi', { api, stripe, settlements: debits.settlements });
    const patientApi = new PatientApi(this, 'PatientApi', { stripe, data, api: forPages, mailFrom });
    new DashboardApi(this, 'DashboardApi', {
      data,
      processor,
      stripe,
      api: forPages,
      dashboard,
      hostedPageUrl: page.url,
      pageBucket: page.bucket,
      stage,
      tickets: webhooks.tickets,
      settlements: debits.settlements,
      signIn,
      mailFrom,
    });

    const notifications =
      mailFrom === undefined
        ? undefined
        : new Notifications(this, 'Notifications', {
            mode: stage.mode,
            data,
            events,
            dashboardUrl: dashboard.url,
            mailFrom,
          });

    const deadLetters = deadLettersOf({
      debits,
      events,
      expirations,
      sweep,
      webhooks,
      archive,
      reconciliation,
      notifications,
    });
    const alarms = new Alarms(this, 'Alarms', {
      gateway,
      publishEvents: events.publish,
      notifyAdmins: notifications?.notifyAdmins,
      deadLetters,
      runbook,
      email: props.alarmEmail,
      reconciles: reconciliation !== undefined,
      distributions: { page: page.distribution, dashboard: dashboard.distribution },
    });

    // Needed even without gradual deploys: when they are dropped, the policy changes before the calls do.
    for (const handler of [practiceApi.createSession, patientApi.authorizePayment, practiceApi.cancelSession])
      gateway.allowInvoking(aliasOf(handler));
    if (props.shift) {
      const answers = { alarms: alarms.named('ServerErrors') };
      new GradualDeploys(this, 'GradualDeploys', {
        shift: props.shift,
        paths: {
          CreateSession: { handler: practiceApi.createSession, ...answers },
          AuthorizePayment: { handler: patientApi.authorizePayment, ...answers },
          CancelSession: { handler: practiceApi.cancelSession, ...answers },
          SubmitDebit: {
            handler: debits.submit,
            queue: debits.submissions,
            alarms: alarms.named('RejectedProcessorCalls'),
          },
          SettlePayment: {
            handler: debits.settle,
            queue: debits.settlements,
            alarms: alarms.named('IllegalTransitions'),
          },
          SendWebhook: { handler: webhooks.send, queue: webhooks.tickets, alarms: [] },
        },
      });
    }

    // The dashboard's email tells the owners directly.
    if (!notifications) tellOperator(this, 'EndpointOwners', { bus: events.bus, topic: alarms.topic });

    if (props.backupVault)
      new Backups(this, 'Backups', {
        tables: Object.values(data.tables),
        evidence: archive?.bucket,
        copyTo: props.backupVault,
      });
    if (props.monthlyBudget !== undefined && props.alarmEmail !== undefined)
      monthlyBudget(this, { dollars: props.monthlyBudget, email: props.alarmEmail });

    const operations = operationsDashboard(this, 'Operations', gateway, alarms.topic);

    // On a bill, `cost` shows each part separately. `Custom` is CDK's own function, which fills the pages' buckets.
    for (const part of this.node.children) Tags.of(part).add('cost', part.node.id.replace(/\W.*/, ''));
    Tags.of(this).add('product', 'patient-invoice-payment');
    Tags.of(this).add('stage', stage.name);

    tellOutputs(this, {
      ...props,
      data,
      api,
      page,
      dashboard,
      docsUrl,
      signIn,
      archive,
      deadLetters,
      alarmTopic: alarms.topic,
      operationsDashboard: operations,
    });
  }
}
