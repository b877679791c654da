import {
  AdminCreateUserCommand,
  AdminDeleteUserCommand,
  AdminGetUserCommand,
  CognitoIdentityProviderClient,
  UnsupportedUserStateException,
  UserNotFoundException,
  UsernameExistsException,
  type AttributeType,
} from '@aws-sdk/client-cognito-identity-provider';
import { Fault } from '../domain/fault.ts';

export interface UserPool {
  /** Cognito mails a temporary password; again if the user never signed in. */
  createUser(email: string): Promise<void>;
  /** Replaces the user by a new one, with a temporary password and no MFA. Undefined if there is no such user. */
  replaceUser(email: string): Promise<{ readonly oldSubject: string; readonly newSubject: string } | undefined>;
}

export function userPool(userPoolId: string, client = new CognitoIdentityProviderClient({})): UserPool {
  const create = (email: string, resend: boolean) =>
    client.send(
      new AdminCreateUserCommand({
        UserPoolId: userPoolId,
        Username: email,
        UserAttributes: [
          { Name: 'email', Value: email },
          { Name: 'email_verified', Value: 'true' },
        ],
        DesiredDeliveryMediums: ['EMAIL'],
        ...(resend && { MessageAction: 'RESEND' }),
      }),
    );

  return {
    async createUser(email) {
      try {
        await create(email, false);
      } catch (error) {
        if (!(error instanceof UsernameExistsException)) throw error;
        // Refused for a user who has a password.
        await create(email, true).catch((refused: unknown) => {
          if (!(refused instanceof UnsupportedUserStateException)) throw refused;
        });
      }
    },
    async replaceUser(email) {
      const user = { UserPoolId: userPoolId, Username: email };
      try {
        const { UserAttributes } = await client.send(new AdminGetUserCommand(user));
        const oldSubject = subjectIn(UserAttributes);
        await client.send(new AdminDeleteUserCommand(user));
        const { User } = await create(email, false);
        return { oldSubject, newSubject: subjectIn(User?.Attributes) };
      } catch (error) {
        if (error instanceof UserNotFoundException) return undefined;
        throw error;
      }
    },
  };
}

function subjectIn(attributes: readonly AttributeType[] = []): string {
  const subject = attributes.find(({ Name }) => Name === 'sub')?.Value;
  if (subject === undefined) throw new Fault('a user of the pool has no subject');
  return subject;
}
