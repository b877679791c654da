import { randomUUID } from 'node:crypto';
import * as z from 'zod';

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
