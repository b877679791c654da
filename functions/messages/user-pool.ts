import {
  AdminCreateUserCommand,
  AdminSetUserMFAPreferenceCommand,
  AdminUserGlobalSignOutCommand,
  CognitoIdentityProviderClient,
  UnsupportedUserStateException,
  UserNotFoundException,
  UsernameExistsException,
} from '@aws-sdk/client-cognito-identity-provider';

export interface UserPool {
  /** Cognito mails a temporary password; again if the user never signed in. */
  createUser(email: string): Promise<void>;
  /** The user sets up MFA at the next sign-in. False if there is no such user. */
  resetMfa(email: string): Promise<boolean>;
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
    async resetMfa(email) {
      const user = { UserPoolId: userPoolId, Username: email };
      try {
        await client.send(
          new AdminSetUserMFAPreferenceCommand({
            ...user,
            SoftwareTokenMfaSettings: { Enabled: false, PreferredMfa: false },
          }),
        );
        await client.send(new AdminUserGlobalSignOutCommand(user));
        return true;
      } catch (error) {
        if (error instanceof UserNotFoundException) return false;
        throw error;
      }
    },
  };
}
