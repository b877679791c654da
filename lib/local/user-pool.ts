import { randomInt, randomUUID } from 'node:crypto';
import * as z from 'zod';
import { inert } from './property-schema.ts';
import type { AwsAnswer } from './sign-in.ts';
import type { Resource } from './template.ts';

export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

export type PrintMail = (mail: Mail) => void;

const data = z.object({ Data: z.string() });
const outboundEmail = z.object({
  FromEmailAddress: z.string(),
  Destination: z.object({ ToAddresses: z.tuple([z.string()]) }),
  Content: z.object({ Simple: z.object({ Subject: data, Body: z.object({ Text: data }) }) }),
});

/** Implements as much of SES's `SendEmail` as the service uses. */
export function sendEmail(printMail: PrintMail, body: unknown): AwsAnswer {
  const { data: email } = z.safeParse(outboundEmail, body);
  if (!email) return { error: 'BadRequestException' };
  const { Subject, Body } = email.Content.Simple;
  printMail({ to: email.Destination.ToAddresses[0], subject: Subject.Data, text: Body.Text.Data });
  return { MessageId: 'local' };
}

const signInElsewhere = 'the local identity provider only asks for a password';

export const userPoolProperties = z.strictObject({
  AdminCreateUserConfig: z.strictObject({
    AllowAdminCreateUserOnly: z.literal(true),
    InviteMessageTemplate: z.strictObject({ EmailMessage: z.string(), EmailSubject: z.string() }),
  }),
  AccountRecoverySetting: inert(signInElsewhere),
  AutoVerifiedAttributes: inert(signInElsewhere),
  DeletionProtection: inert('--fresh is the only way to delete local users'),
  EmailVerificationMessage: inert(signInElsewhere),
  EmailVerificationSubject: inert(signInElsewhere),
  EnabledMfas: inert(signInElsewhere),
  MfaConfiguration: inert(signInElsewhere),
  Policies: inert('local passwords are generated'),
  SmsVerificationMessage: inert(signInElsewhere),
  UserPoolTier: inert('a price'),
  UsernameAttributes: inert('users have an email address'),
  UsernameConfiguration: inert('addresses are compared without case'),
  VerificationMessageTemplate: inert(signInElsewhere),
});

export const userPoolClientProperties = z.strictObject({
  UserPoolId: z.string(),
  CallbackURLs: z.array(z.string()),
  LogoutURLs: z.array(z.string()),
  AllowedOAuthFlows: z.tuple([z.literal('code')]),
  AllowedOAuthScopes: z.tuple([z.literal('openid'), z.literal('email')]),
  GenerateSecret: z.literal(true),
  ClientName: inert('for readers'),
  AllowedOAuthFlowsUserPoolClient: inert('the only flow here'),
  SupportedIdentityProviders: inert('the only provider here'),
  ExplicitAuthFlows: inert('the only flow here'),
  AccessTokenValidity: inert('the dashboard keeps no tokens'),
  IdTokenValidity: inert('the dashboard keeps no tokens'),
  RefreshTokenValidity: inert('the dashboard keeps no tokens'),
  TokenValidityUnits: inert('the dashboard keeps no tokens'),
  EnableTokenRevocation: inert('the dashboard keeps no tokens'),
  PreventUserExistenceErrors: inert('the local page says the same for every failure'),
});

type UserPool = Resource<z.output<typeof userPoolProperties>>;

const userRequest = z.object({
  UserPoolId: z.string(),
  Username: z.string(),
  MessageAction: z.literal('RESEND').optional(),
});

const service = 'AWSCognitoIdentityProviderService';

/** The operations that the service uses, by name. */
export function userPoolOperations(pools: readonly UserPool[], users: Users, printMail: PrintMail) {
  function operation(answer: (email: string, request: z.output<typeof userRequest>, pool: UserPool) => AwsAnswer) {
    return (body: unknown): AwsAnswer => {
      const request = userRequest.safeParse(body).data;
      const pool = pools.find(({ name }) => name === request?.UserPoolId);
      if (!request || !pool) return { error: 'ResourceNotFoundException' };
      return answer(request.Username, request, pool);
    };
  }

  return {
    [`${service}.AdminCreateUser`]: operation((email, { MessageAction }, { properties }) => {
      const existing = users.byEmail(email);
      if (existing && MessageAction === undefined) return { error: 'UsernameExistsException' };
      // Temporary passwords never change here, so the same one can be sent again.
      const user = users.create({ email, password: generatePassword() });
      const { EmailSubject: subject, EmailMessage } = properties.AdminCreateUserConfig.InviteMessageTemplate;
      const message = EmailMessage.replaceAll('{username}', email).replaceAll('{####}', user.password);
      printMail({ to: email, subject, text: message });
      const status = { Enabled: true, UserStatus: 'FORCE_CHANGE_PASSWORD' };
      return { User: { Username: email, Attributes: attributesOf(user), ...status } };
    }),
    [`${service}.AdminGetUser`]: operation((email) => {
      const user = users.byEmail(email);
      return user
        ? { Username: email, Enabled: true, UserAttributes: attributesOf(user) }
        : { error: 'UserNotFoundException' };
    }),
    [`${service}.AdminDeleteUser`]: operation((subject) => {
      const user = users.bySubject(subject);
      if (user) users.remove(user);
      return user ? {} : { error: 'UserNotFoundException' };
    }),
  };
}

function attributesOf({ subject, email }: LocalUser) {
  return [
    { Name: 'sub', Value: subject },
    { Name: 'email', Value: email },
  ];
}

/** Leaves out characters that look alike. */
export function generatePassword(): string {
  const characters = 'abcdefghijkmnpqrstuvwxyz23456789';
  const part = () => Array.from({ length: 4 }, () => characters[randomInt(characters.length)]).join('');
  return `demo-${part()}-${part()}`;
}

export const localUser = z.object({ email: z.string(), password: z.string(), subject: z.string() });
export type LocalUser = z.infer<typeof localUser>;

interface KeptUsers {
  users(): LocalUser[];
  saveUser(user: LocalUser): void;
  deleteUser(user: LocalUser): void;
}

/** The local users, in place of a Cognito user pool. Their passwords are as secret as the data directory. */
export function openUsers(kept: KeptUsers) {
  const byEmail = (email: string) => kept.users().find((user) => user.email.toLowerCase() === email.toLowerCase());
  return {
    byEmail,
    bySubject: (subject: string) => kept.users().find((user) => user.subject === subject),
    /** Keeps an existing user and its password. */
    create(created: Pick<LocalUser, 'email' | 'password'>): LocalUser {
      const existing = byEmail(created.email);
      if (existing) return existing;
      const user = { ...created, subject: randomUUID() };
      kept.saveUser(user);
      return user;
    },
    remove(user: LocalUser): void {
      kept.deleteUser(user);
    },
  };
}

export type Users = ReturnType<typeof openUsers>;
