import { CognitoIdentityProviderClient } from '@aws-sdk/client-cognito-identity-provider';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { SESv2Client } from '@aws-sdk/client-sesv2';
import * as client from 'openid-client';
import { describe, expect, it } from 'vitest';
import { seedUsers } from '../../bin/local/demo-practice.ts';
import { mailSender } from '../../functions/messages/team/mail.ts';
import { secretReader } from '../../functions/messages/secrets.ts';
import { userPool, type UserPool } from '../../functions/messages/team/user-pool.ts';
import { credentials, region } from '../../lib/local/account.ts';
import { CookieJar } from '../support/http-request.ts';
import { runCommand } from '../support/run-command.ts';
import type { TestPractice } from '../support/local-stack.ts';
import { onStack } from '../support/on-stack.ts';
import { signIn, submitCredentials } from '../support/sign-in.ts';

let service: TestPractice;
let pool: UserPool;
const settings = (variable: string) => ({
  endpoint: service.stack.environment[`AWS_ENDPOINT_URL_${variable}`] ?? '',
  region,
  credentials,
  maxAttempts: 1,
});

onStack.beforeAll(({ own }) => {
  service = own;
  pool = userPool(
    service.stack.resourceName('SignInUserPool'),
    new CognitoIdentityProviderClient(settings('COGNITO_IDENTITY_PROVIDER')),
  );
});

/** Ends at the dashboard's callback, or throws. */
async function signInToIssuer(user: { email: string; password: string }): Promise<URL> {
  const issuer = await issuerClient();
  const url = client.buildAuthorizationUrl(issuer, {
    redirect_uri: `${service.dashboardUrl}/api/dashboard/callback`,
    scope: 'openid email',
    code_challenge: await client.calculatePKCECodeChallenge(client.randomPKCECodeVerifier()),
    code_challenge_method: 'S256',
  });
  return submitCredentials(new CookieJar(), url, user, service.dashboardUrl);
}

async function me(cookie: string): Promise<{ practices: object[] }> {
  const response = await fetch(`${service.dashboardUrl}/api/dashboard/me`, { headers: { cookie } });
  return (await response.json()) as { practices: object[] };
}

async function issuerClient(): Promise<client.Configuration> {
  const id = service.stack.resourceName('SignInDashboardClient');
  return client.discovery(new URL(service.stack.issuer), id, undefined, undefined, {
    execute: [client.allowInsecureRequests],
  });
}

describe('the local stack', () => {
  it('answers with the client secret that the identity provider expects', async () => {
    const read = secretReader(
      service.stack.resourceName('SignInClientSecret'),
      new SecretsManagerClient(settings('SECRETS_MANAGER')),
    );
    expect(await read()).toBe('local-client-secret');
  });

  it('has no other secret', async () => {
    const read = secretReader('another', new SecretsManagerClient(settings('SECRETS_MANAGER')));
    await expect(read()).rejects.toMatchObject({ name: 'ResourceNotFoundException' });
  });

  it('prints emails instead of sending them', async () => {
    const mail = { to: 'admin@lakeside.example', subject: 'A test', text: 'One line.\nAnother.' };
    await mailSender('dashboard@payments.example', new SESv2Client(settings('SESV2')))(mail);
    expect(service.mails).toContainEqual(mail);
  });

  it('emails a new user a temporary password that signs in, and the same one when asked again', async () => {
    const email = 'New.Person@lakeside.example';
    await pool.createUser(email);
    await pool.createUser(email.toLowerCase());
    const mails = service.mails.filter(({ to }) => to.toLowerCase() === email.toLowerCase());
    expect(mails).toHaveLength(2);
    expect(mails[1]?.text.toLowerCase()).toBe(mails[0]?.text.toLowerCase());
    expect(mails[0]?.text).toContain(`Sign in at ${service.dashboardUrl} as ${email}`);
    const password = /temporary password (\S+)\. /.exec(mails[0]?.text ?? '')?.[1] ?? '';
    const callback = await signInToIssuer({ email, password });
    expect(callback.pathname).toBe('/api/dashboard/callback');
  });

  it.each(['admin', 'staff', 'viewer'])('has a user who is %s of the practice', async (role) => {
    const user = service.dashboardUsers.find((each) => each.role === role);
    expect(user?.email).toMatch(new RegExp(`^${role}@`));
    const callback = await signInToIssuer(user!);
    expect(callback.searchParams.get('code')).not.toBeNull();
  });

  it("resets MFA with a new user, who has the old one's memberships, another password and no open session", async () => {
    const { practiceId } = service.practice;
    const users = await seedUsers(service.stack, service.operated, practiceId, Date.now(), 'lost-phone.example');
    const staff = users.find(({ role }) => role === 'staff')!;
    const cookie = await signIn(service.dashboardUrl, staff);
    expect((await me(cookie)).practices).toHaveLength(1);

    const reset = await runCommand(service.operated, 'reset-mfa', { email: staff.email });
    expect(reset).toEqual({ email: staff.email, practices: [practiceId] });
    expect((await me(cookie)).practices).toHaveLength(0);
    await expect(signInToIssuer(staff)).rejects.toThrow(`the issuer refused ${staff.email}`);

    const mail = service.mails.findLast(({ to }) => to === staff.email);
    const password = /temporary password (\S+)\. /.exec(mail?.text ?? '')?.[1] ?? '';
    const again = await me(await signIn(service.dashboardUrl, { ...staff, password }));
    expect(again.practices).toMatchObject([{ practiceId, role: 'staff' }]);
  });

  it('does not reset MFA for an unknown user', async () => {
    const reset = runCommand(service.operated, 'reset-mfa', { email: 'nobody@lakeside.example' });
    await expect(reset).rejects.toMatchObject({ code: 'user_not_found' });
  });

  it("does not serve the dashboard's API beside the hosted page", async () => {
    const response = await fetch(`${service.hostedUrl}/api/dashboard/me`);
    expect(response.status).toBe(403);
  });
});
