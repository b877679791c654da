import { newAuditEntry, type AuditAction, type AuditEntry, type Audited } from '../domain/team/audit-entry.ts';
import type { RandomBytes } from '../domain/identifier.ts';
import type { EndpointKey } from '../store/webhooks/webhook-endpoints.ts';
import { allows, type Role } from '../domain/team/member.ts';

export type EndpointOfAuthor = EndpointKey & Audited;

export function endpointEntry(
  { randomBytes }: { readonly randomBytes: RandomBytes },
  { practiceId, endpointId, author }: EndpointOfAuthor,
  action: AuditAction,
  now: number,
  details: Readonly<Record<string, string | undefined>> = {},
): AuditEntry {
  return newAuditEntry({ practiceId, author, action, target: endpointId, details }, now, randomBytes);
}

/** Leaves out the query, which may hold a token. */
export function shownUrl(url: string): string {
  const { origin, pathname } = new URL(url);
  return origin + pathname;
}

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
