/** From fewest to most permissions. */
export const roles = ['viewer', 'staff', 'admin'] as const;
export type Role = (typeof roles)[number];

export function allows(role: Role, needed: Role): boolean {
  return roles.indexOf(role) >= roles.indexOf(needed);
}
