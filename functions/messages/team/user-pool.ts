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
import { awsClient } from '../../aws-client.ts';
import { Fault } from '../../domain/fault.ts';

export function userPool(userPoolId: string, client = new CognitoIdentityProviderClient(awsClient)) {
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
    /**
     * Creates the user and returns their subject. Cognito emails a temporary password, and another if they never signed in.
     * Undefined for a user who has signed in.
     */
    async createUser(email: string) {
      try {
        return subjectIn((await create(email, false)).User?.Attributes);
      } catch (error) {
        if (!(error instanceof UsernameExistsException)) throw error;
      }
      try {
        return subjectIn((await create(email, true)).User?.Attributes);
      } catch (error) {
        // Cognito refuses this for a user who has set a password.
        if (error instanceof UnsupportedUserStateException) return undefined;
        throw error;
      }
    },
    async subjectOf(email: string) {
      try {
        const user = await client.send(new AdminGetUserCommand({ UserPoolId: userPoolId, Username: email }));
        return subjectIn(user.UserAttributes);
      } catch (error) {
        if (error instanceof UserNotFoundException) return undefined;
        throw error;
      }
    },
    /** Does nothing if there is no such user. */
    async deleteUser(subject: string) {
      try {
        // The pool signs users in by email address, so their username is the subject.
        await client.send(new AdminDeleteUserCommand({ UserPoolId: userPoolId, Username: subject }));
      } catch (error) {
        if (!(error instanceof UserNotFoundException)) throw error;
      }
    },
  };
}

export type UserPool = ReturnType<typeof userPool>;

function subjectIn(attributes: readonly AttributeType[] = []): string {
  const subject = attributes.find(({ Name }) => Name === 'sub')?.Value;
  if (subject === undefined) throw new Fault('a user of the pool has no subject');
  return subject;
}
