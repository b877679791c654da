import { allows, type Role } from '../domain/role.ts';
import { shownUrl } from './endpoint-entry.ts';

/** Whole for admins, who set it; for others without the query, which may hold a token. */
export function urlForMember<WithUrl extends { readonly url: string }>(row: WithUrl, role: Role): WithUrl {
  return allows(role, 'admin') ? row : { ...row, url: shownUrl(row.url) };
}
