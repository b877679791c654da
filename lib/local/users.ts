import { createHash } from 'node:crypto';

export interface LocalUser {
  readonly email: string;
  readonly password: string;
}

interface KeptUsers {
  users(): LocalUser[];
  saveUser(user: LocalUser): void;
}

/** Who can sign in, in place of a Cognito user pool. Passwords are as secret as the data directory. */
export function openUsers(kept: KeptUsers) {
  const find = (isWanted: (user: LocalUser) => boolean) => kept.users().find(isWanted);
  return {
    byEmail: (email: string) => find((user) => subjectOf(user) === subjectOf({ email })),
    bySubject: (subject: string) => find((user) => subjectOf(user) === subject),
    /** Keeps an existing user and its password. */
    create(user: LocalUser): LocalUser {
      const existing = this.byEmail(user.email);
      if (existing === undefined) kept.saveUser(user);
      return existing ?? user;
    },
  };
}

export type Users = ReturnType<typeof openUsers>;

/** From the e-mail address, so that members stay members after `--fresh`. */
export function subjectOf({ email }: Pick<LocalUser, 'email'>): string {
  const hash = createHash('sha256').update(email.toLowerCase()).digest('hex');
  return [hash.slice(0, 8), hash.slice(8, 12), hash.slice(12, 16), hash.slice(16, 20), hash.slice(20, 32)].join('-');
}
