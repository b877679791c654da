import { describe, expect, test } from 'vitest';
import { queueVariables } from '../../functions/contract/environment.ts';
import { stageOf } from '../../lib/settings/stage.ts';
import { callableBy } from '../permissions/callable.ts';
import { required } from '../permissions/linked-functions.ts';
import { namesIn } from '../permissions/requests.ts';
import { allowedActions } from '../support/permissions.ts';
import { roleOf, stages, at, named } from './stacks.ts';

/** The action that an AWS SDK command needs. Commands to queues are compared by queue. */
const actionOf: Readonly<Record<string, string>> = {
  PutEventsCommand: 'events:PutEvents',
  SendEmailCommand: 'ses:SendEmail',
  GetSecretValueCommand: 'secretsmanager:GetSecretValue',
  AdminCreateUserCommand: 'cognito-idp:AdminCreateUser',
  AdminGetUserCommand: 'cognito-idp:AdminGetUser',
  AdminDeleteUserCommand: 'cognito-idp:AdminDeleteUser',
  PutObjectCommand: 's3:PutObject',
  HeadObjectCommand: 's3:GetObject',
};
const sendsTickets = 'SendMessageBatchCommand';

/** Commands that a function's code contains but never runs. */
const neverRun: Readonly<Record<string, readonly string[]>> = {
  // The operator's command removes and finds users with the same object.
  'dashboard-api/team': ['AdminGetUserCommand', 'AdminDeleteUserCommand'],
  // Only the hourly check looks for copies, with the same archive object.
  'triggers/live/archive-evidence': ['HeadObjectCommand'],
};

/** The actions that Lambda needs to poll a stream. */
const ofStreams = ['DescribeStream', 'GetRecords', 'GetShardIterator', 'ListStreams'];

const known = [
  ...Object.values(actionOf),
  ...Object.keys(queueVariables).map((queue) => `sqs:SendMessage on ${queue}`),
];

interface Function {
  readonly file: string;
  readonly role: string;
  readonly callable: readonly string[];
  readonly granted: readonly string[];
}

describe.each(stages)('the functions of the $stage stack', async ({ stage, resources, functions }) => {
  const callable = await callableBy(stageOf(stage).mode);
  const template = { Resources: Object.fromEntries(resources.map((each) => [each.id, each])) };
  const { fileOf, queuesOf, plain } = namesIn(template);
  const allowed = allowedActions(template);

  const compared = functions.map((each): Function => {
    const file = fileOf.get(each.id) ?? '';
    const { requests, commands } = required(callable.get(file));
    const granted = [...(allowed.get(each.id) ?? [])].map(plain);
    return {
      file,
      role: roleOf(each),
      callable: [
        ...[...requests].map((request) => `dynamodb:${request}`),
        ...[...commands]
          .filter((command) => command !== sendsTickets && neverRun[file]?.includes(command) !== true)
          .map((command) => actionOf[command] ?? `what ${command} needs (name it in actionOf)`),
        ...(commands.has(sendsTickets) ? (queuesOf.get(each.id) ?? []) : []).map(
          (queue) => `sqs:SendMessage on ${queue}`,
        ),
      ],
      granted: granted.flatMap((action) => {
        if (action.startsWith('dynamodb:')) return ofStreams.includes(action.split(/[: ]/)[1] ?? '') ? [] : [action];
        return known.filter((each) => action === each || action.startsWith(`${each} on `));
      }),
    };
  });

  test('are all compared', () => {
    expect(compared.map(({ file }) => file).sort()).toEqual([...callable.keys()].sort());
  });

  test('may do all that their code asks of AWS', () => {
    const refused = compared.flatMap(({ file, callable, granted }) =>
      callable
        .filter((action) => !granted.includes(action))
        .map((action) => `${file} can call ${action}, but lib/ does not grant it: grant it, or do without the call`),
    );
    expect(refused).toEqual([]);
  });

  test('may do nothing that their code does not ask for', () => {
    // Functions that share a role share its grants.
    const unused = [...Map.groupBy(compared, ({ role }) => role).values()].flatMap((sharing) => {
      const used = new Set(sharing.flatMap(({ callable }) => callable));
      const files = sharing.map(({ file }) => file).join(', ');
      return (sharing[0]?.granted ?? [])
        .filter((action) => !used.has(action))
        .map((action) => `no code of ${files} can call ${action}: remove the grant from lib/`);
    });
    expect(unused).toEqual([]);
  });
});

describe.each(stages)('the sign-in of the $stage stack', ({ resources, all, outputs, functions, allowed }) => {
  const pool = named(all('AWS::Cognito::UserPool'), 'SignIn');
  const client = named(all('AWS::Cognito::UserPoolClient'), 'SignIn');
  const secret = named(all('AWS::SecretsManager::Secret'), 'SignIn');

  test('needs a second factor from everyone, and no one can sign up', () => {
    expect(pool.Properties).toMatchObject({
      MfaConfiguration: 'ON',
      EnabledMfas: ['SOFTWARE_TOKEN_MFA'],
      AdminCreateUserConfig: { AllowAdminCreateUserOnly: true },
      UsernameAttributes: ['email'],
    });
  });

  test('names no attributes, because Cognito can refuse every later update of a pool that does', () => {
    expect(pool.Properties).not.toHaveProperty('Schema');
  });

  test('keeps its users when the stack is deleted', () => {
    expect(pool).toMatchObject({
      DeletionPolicy: 'RetainExceptOnCreate',
      Properties: { DeletionProtection: 'ACTIVE' },
    });
  });

  test('accepts only the code grant, and returns only to the dashboard', () => {
    const { id } = named(resources, 'DashboardDistribution');
    const callback = ['', ['https://', { 'Fn::GetAtt': [id, 'DomainName'] }, '/api/dashboard/callback']];
    expect(client.Properties).toMatchObject({
      AllowedOAuthFlows: ['code'],
      CallbackURLs: [{ 'Fn::Join': callback }],
      EnableTokenRevocation: true,
      GenerateSecret: true,
      PreventUserExistenceErrors: 'ENABLED',
    });
  });

  test('has a page: managed login with a style', () => {
    expect(named(resources, 'SignInDomain').Properties).toMatchObject({ ManagedLoginVersion: 2 });
    expect(named(resources, 'SignInBranding').Properties).toMatchObject({ UseCognitoProvidedValues: true });
  });

  test('has its client secret in Secrets Manager, and in no variable or output', () => {
    expect(secret.Properties['SecretString']).toEqual({ 'Fn::GetAtt': [client.id, 'ClientSecret'] });
    const elsewhere = [outputs, ...functions.map(({ Properties }) => at(Properties, 'Environment'))];
    expect(JSON.stringify(elsewhere)).not.toContain('ClientSecret"]');
  });

  test("lets only the sign-in's function read the client secret, and only the team's create users", () => {
    const rolesOf = (action: string, resource: string) => [...new Set(allowed(action, resource).map(roleOf))];
    expect(rolesOf('secretsmanager:GetSecretValue', secret.id)).toEqual([
      named(resources, 'DashboardApiSignInRole').id,
    ]);
    expect(rolesOf('cognito-idp:AdminCreateUser', pool.id)).toEqual([named(resources, 'DashboardApiTeamRole').id]);
    const reading = functions.filter(({ Properties }) =>
      JSON.stringify(at(Properties, 'Environment', 'Variables')).includes('OIDC_CLIENT_SECRET_ID'),
    );
    expect(reading.map(({ id }) => id.slice(0, -8)).sort()).toEqual(['DashboardApiSignIn']);
  });
});
