import { describe, expect, test } from 'vitest';
import { at, named, roleOf, stages } from './stacks.ts';

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
