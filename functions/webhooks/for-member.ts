import { allows, type Role } from '../domain/team/member.ts';
import { shownUrl } from './endpoint-entry.ts';

/** Admins, who set the URL, see all of it. Others see it without the query, which may hold a token. */
export function urlForMember<WithUrl extends { readonly url: string }>(row: WithUrl, role: Role): WithUrl {
  return allows(role, 'admin') ? row : { ...row, url: shownUrl(row.url) };
}
