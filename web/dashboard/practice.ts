import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Response } from './api.ts';

type Me = Response<'getMe'>;
export type Role = Me['practices'][number]['role'];

export interface Practice {
  readonly practiceId: string;
  readonly name: string;
  readonly role: Role;
  readonly mode: Me['mode'];
  readonly me: Me;
  readonly reloadMe: () => Promise<void>;
  /** IANA name. */
  readonly timeZone: string;
  readonly settings: Response<'getSettings'>;
  readonly reloadSettings: () => Promise<void>;
}

export const PracticeContext = createContext<Practice | undefined>(undefined);

/** The practice that the screen belongs to, and the user's role in it. */
export function usePractice(): Practice {
  const practice = useContext(PracticeContext);
  if (!practice) throw new Error('This part belongs on a screen of a practice.');
  return practice;
}

const ranks = { viewer: 0, staff: 1, admin: 2 };

export function allows(role: Role, needed: Role): boolean {
  return ranks[role] >= ranks[needed];
}
