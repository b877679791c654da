import { Problem } from '../contract/problem.ts';
import { invalidRequestWith, type RequestError } from '../contract/request-errors.ts';
import { isPlatformId, isPracticeEventType, servesPractice } from '../domain/practices/platform.ts';
import { readMemberships } from '../store/practices/platforms.ts';
import { isEndpointId, type WebhookEndpoint } from '../domain/webhooks/webhook-endpoint.ts';
import type { Database } from '../store/database.ts';
import { getWebhookEndpoint, type EndpointKey } from '../store/webhooks/webhook-endpoints.ts';
import { newAuditEntry, type AuditAction, type AuditEntry, type Audited } from '../domain/team/audit-entry.ts';
import type { RandomBytes } from '../domain/identifier.ts';
import { allows, type Role } from '../domain/team/member.ts';

/** Throws a Problem if the practice has no such endpoint. */
export async function requireEndpoint(
  database: Database,
  { practiceId, endpointId }: EndpointKey,
): Promise<WebhookEndpoint> {
  requireEndpointId(endpointId);
  const found = await getWebhookEndpoint(database, practiceId, endpointId);
  if (!found) throw endpointNotFound();
  return found;
}

export function requireEndpointId(endpointId: string): void {
  if (!isEndpointId(endpointId)) throw endpointNotFound();
}

export async function requireEnabled(database: Database, key: EndpointKey): Promise<void> {
  const { status } = await requireEndpoint(database, key);
  if (status === 'disabled')
    throw new Problem('webhook_endpoint_disabled', 'Nothing is sent to a disabled endpoint. Enable it first.');
}

export function requirePast(since: number, now: number): void {
  if (since > now) throw new Problem('since_in_future', 'This date is in the future. Choose one in the past.');
}

export function endpointNotFound(): Problem {
  return new Problem('webhook_endpoint_not_found', 'This practice has no webhook endpoint with this id. Check the id.');
}

/** Throws a Problem unless the endpoint's owner is a platform that serves these practices. */
export async function requireServed(
  database: Database,
  ownerId: string,
  practiceIds: readonly string[] | undefined,
): Promise<void> {
  if (!practiceIds) return;
  if (!isPlatformId(ownerId)) throw refusedPractices('unknown_field', "Only a platform's endpoint has this field.");
  const memberships = await readMemberships(database, practiceIds);
  if (!practiceIds.every((practiceId) => servesPractice(ownerId, memberships.get(practiceId))))
    throw refusedPractices('invalid_value', "Name only your platform's practices.");
}

function refusedPractices(code: RequestError['code'], detail: string): Problem {
  return invalidRequestWith([{ pointer: '/practiceIds', code, detail }]);
}

/** Throws a Problem if a practice's endpoint subscribes to an event that only platforms get. */
export function requireAllowedEventTypes(ownerId: string, types: readonly string[]): void {
  const index = types.findIndex(isPracticeEventType);
  if (isPlatformId(ownerId) || index === -1) return;
  const detail = `Only a platform's endpoint gets ${types[index]}.`;
  throw invalidRequestWith([{ pointer: `/eventTypes/${index}`, code: 'invalid_value', detail }]);
}

export type EndpointOfAuthor = EndpointKey & Audited;

export function endpointEntry(
  { randomBytes }: { readonly randomBytes: RandomBytes },
  { practiceId, endpointId, author }: EndpointOfAuthor,
  action: AuditAction,
  now: number,
  details: Readonly<Record<string, string | undefined>> = {},
): AuditEntry {
  return newAuditEntry({ randomBytes }, { practiceId, author, action, target: endpointId, details }, now);
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

/** The owner's admins, who set the URL, see all of it. Others see it without the query, which may hold a token. */
export function urlForMember<Row extends WithUrl>(
  row: Row,
  { role, platformId }: { readonly role: Role; readonly platformId?: string },
): Row {
  if (allows(role, 'admin') && platformId === undefined) return row;
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
