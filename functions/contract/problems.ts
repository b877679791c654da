/** Clients branch on the codes, which never change. */
export type Problems = Readonly<Record<string, { readonly status: number; readonly title: string }>>;

/** Any route can return these. */
export const serverProblems = {
  internal_error: { status: 500, title: 'Something went wrong on our end.' },
  temporarily_unavailable: { status: 503, title: 'The service is overloaded or unreachable at the moment.' },
} as const satisfies Problems;

export const routeNotFound = {
  route_not_found: { status: 404, title: 'The route was not found.' },
} as const satisfies Problems;

export const methodNotAllowed = {
  method_not_allowed: { status: 405, title: 'The path does not have this method.' },
} as const satisfies Problems;

export const invalidRequest = {
  invalid_request: { status: 400, title: 'The request is not valid.' },
} as const satisfies Problems;

export const practiceSuspended = {
  practice_suspended: { status: 403, title: 'The practice takes no new payments at the moment.' },
} as const satisfies Problems;

export const practiceClosed = {
  practice_closed: { status: 403, title: 'The practice is closed.' },
} as const satisfies Problems;

export const notReadyForLive = {
  not_ready_for_live: { status: 409, title: 'The practice is not ready for live payments.' },
} as const satisfies Problems;

export const bodyProblems = {
  invalid_json: { status: 400, title: 'The body is not valid JSON, or repeats a key.' },
  ...invalidRequest,
  body_too_large: { status: 413, title: 'The body is too large.' },
  unsupported_media_type: { status: 415, title: 'The body must be uncompressed JSON in UTF-8.' },
} as const satisfies Problems;
