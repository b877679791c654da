import { CfnOutput, Duration, Fn, RemovalPolicy, SecretValue, Stack, Validations } from 'aws-cdk-lib';
import {
  AccountRecovery,
  CfnManagedLoginBranding,
  CfnUserPoolClient,
  FeaturePlan,
  ManagedLoginVersion,
  Mfa,
  UserPool,
  UserPoolDomain,
} from 'aws-cdk-lib/aws-cognito';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Function } from 'aws-cdk-lib/aws-lambda';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';
import { settingVariables } from '../../functions/contract/environment.ts';

/** The team's own OpenID Connect issuer, used instead of a user pool. */
export interface Issuer {
  readonly url: string;
  readonly clientId: string;
}

/** Throws if only one of the settings is given, or if the issuer is not https. */
export function issuerOf(url: string | undefined, clientId: string | undefined): Issuer | undefined {
  if (url === undefined && clientId === undefined) return undefined;
  if (!url || !clientId || !URL.canParse(url) || !/^https:\/\/[^?#]+$/.test(url))
    throw new Error(
      'Your own issuer needs both -c oidcIssuer=https://login.example.com, without query or fragment, and -c oidcClientId=….',
    );
  return { url, clientId };
}

interface SignInProps {
  readonly dashboardUrl: string;
  /** If absent, the stack creates a user pool. */
  readonly issuer: Issuer | undefined;
  readonly protect: boolean;
}

/** The dashboard's OpenID Connect issuer, and its client registration there. */
export class SignIn extends Construct {
  readonly userPool: UserPool | undefined;
  readonly issuer: Issuer;
  private readonly clientSecret: Secret;

  constructor(scope: Construct, id: string, { dashboardUrl, issuer, protect }: SignInProps) {
    super(scope, id);
    if (issuer) {
      this.issuer = issuer;
      this.clientSecret = new Secret(this, 'ClientSecret', {
        description: `Put the client secret of ${issuer.clientId} here as plain text`,
        removalPolicy: RemovalPolicy.RETAIN,
      });
      const output = new CfnOutput(this, 'ClientSecretName', {
        value: this.clientSecret.secretName,
        description: 'Put the client secret of the OpenID Connect issuer into this secret, as plain text',
      });
      output.overrideLogicalId('OidcClientSecretName');
    } else {
      this.userPool = userPoolOf(this, dashboardUrl, protect);
      const client = clientOf(this, this.userPool, dashboardUrl);
      // The issuer that tokens name, whatever the domain of the sign-in page.
      const url = `https://cognito-idp.${Stack.of(this).region}.amazonaws.com/${this.userPool.userPoolId}`;
      this.issuer = { url, clientId: client.attrClientId };
      this.clientSecret = new Secret(this, 'ClientSecret', {
        description: 'The client secret of the practice dashboard',
        secretStringValue: SecretValue.resourceAttribute(client.attrClientSecret),
      });
    }
    Validations.of(this.clientSecret).acknowledge({
      id: 'AwsSolutions::AwsSolutions-SMG4',
      reason: 'The issuer chooses the client secret; Secrets Manager cannot rotate it there.',
    });
  }

  allowSigningIn(grantee: Function): void {
    const { oidcIssuer, oidcClientId, oidcClientSecretId } = settingVariables;
    grantee.addEnvironment(oidcIssuer, this.issuer.url);
    grantee.addEnvironment(oidcClientId, this.issuer.clientId);
    grantee.addEnvironment(oidcClientSecretId, this.clientSecret.secretArn);
    grantee.addToRolePolicy(
      new PolicyStatement({ actions: ['secretsmanager:GetSecretValue'], resources: [this.clientSecret.secretArn] }),
    );
  }

  allowCreatingUsers(grantee: Function): void {
    if (!this.userPool) return;
    grantee.addEnvironment(settingVariables.userPoolId, this.userPool.userPoolId);
    grantee.addToRolePolicy(
      new PolicyStatement({ actions: ['cognito-idp:AdminCreateUser'], resources: [this.userPool.userPoolArn] }),
    );
  }
}

function userPoolOf(scope: Construct, dashboardUrl: string, protect: boolean): UserPool {
  const pool = new UserPool(scope, 'UserPool', {
    featurePlan: FeaturePlan.ESSENTIALS,
    selfSignUpEnabled: false,
    signInAliases: { email: true },
    signInCaseSensitive: false,
    // No standardAttributes: with them, updates of the pool can fail (https://github.com/aws/aws-cdk/issues/8585).
    mfa: Mfa.REQUIRED,
    mfaSecondFactor: { otp: true, sms: false },
    passwordPolicy: {
      minLength: 12,
      requireDigits: true,
      requireLowercase: true,
      requireUppercase: true,
      requireSymbols: true,
      tempPasswordValidity: Duration.days(7),
    },
    accountRecovery: AccountRecovery.EMAIL_ONLY,
    userInvitation: {
      emailSubject: 'Your sign-in to the practice dashboard',
      emailBody: `Sign in at ${dashboardUrl} as {username} with the temporary password {####}. It is valid for 7 days.`,
    },
    deletionProtection: protect,
  });
  Validations.of(pool).acknowledge({
    id: 'AwsSolutions::AwsSolutions-COG8',
    reason: 'Threat protection costs more per user than the rest of the pool; MFA is required of everyone.',
  });
  return pool;
}

function clientOf(scope: Construct, userPool: UserPool, dashboardUrl: string): CfnUserPoolClient {
  const { userPoolId } = userPool;
  const domain = new UserPoolDomain(scope, 'Domain', {
    userPool,
    // Must be unique in the region across all accounts.
    cognitoDomain: { domainPrefix: `practice-sign-in-${Fn.select(2, Fn.split('/', Stack.of(scope).stackId))}` },
    managedLoginVersion: ManagedLoginVersion.NEWER_MANAGED_LOGIN,
  });
  const client = new CfnUserPoolClient(scope, 'DashboardClient', {
    userPoolId,
    clientName: 'Practice dashboard',
    generateSecret: true,
    allowedOAuthFlowsUserPoolClient: true,
    allowedOAuthFlows: ['code'],
    allowedOAuthScopes: ['openid', 'email'],
    callbackUrLs: [`${dashboardUrl}/api/dashboard/callback`],
    logoutUrLs: [`${dashboardUrl}/`],
    supportedIdentityProviders: ['COGNITO'],
    // The dashboard keeps no tokens: these are the shortest lifetimes.
    explicitAuthFlows: ['ALLOW_REFRESH_TOKEN_AUTH'],
    accessTokenValidity: 5,
    idTokenValidity: 5,
    refreshTokenValidity: 60,
    tokenValidityUnits: { accessToken: 'minutes', idToken: 'minutes', refreshToken: 'minutes' },
    enableTokenRevocation: true,
    preventUserExistenceErrors: 'ENABLED',
  });
  // Managed login serves no page without a style.
  const branding = new CfnManagedLoginBranding(scope, 'Branding', {
    userPoolId,
    clientId: client.attrClientId,
    useCognitoProvidedValues: true,
  });
  branding.node.addDependency(domain);
  return client;
}
