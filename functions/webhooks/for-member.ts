import { allows, type Role } from '../domain/team/member.ts';
import { shownUrl } from './endpoint-entry.ts';

interface WithUrl {
  readonly url: string;
  readonly redirectsTo?: string | undefined;
}

/** Admins, who set the URL, see all of it. Others see it without the query, which may hold a token. */
export function urlForMember<Row extends WithUrl>(row: Row, role: Role): Row {
  if (allows(role, 'admin')) return row;
  const { redirectsTo } = row;
  return {
    ...row,
    url: shownUrl(row.url),
    ...(redirectsTo !== undefined && { redirectsTo: shownRedirect(redirectsTo) }),
  };
}

/** A server can send anything as a location. */
function shownRedirect(redirectsTo: string): string | undefined {
  return URL.canParse(redirectsTo) && /^https?:/.test(redirectsTo) ? shownUrl(redirectsTo) : undefined;
}
