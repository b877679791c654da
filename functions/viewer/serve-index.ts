import type { ViewerEvent, ViewerRequest } from './viewer-event.ts';

/** The dashboard's pages are one document, so that each URL can be bookmarked. */
export function handler(event: ViewerEvent): ViewerRequest {
  const request = event.request;
  if (!/^\/(api|assets|logos)\//.test(request.uri)) request.uri = '/index.html';
  return request;
}
