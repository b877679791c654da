import type { ViewerEvent, ViewerRequest } from './viewer-event.ts';

/** The API sees only CloudFront's address. Overwrites what the client sent. */
export function handler(event: ViewerEvent): ViewerRequest {
  event.request.headers['x-viewer-address'] = { value: event.viewer.ip };
  return event.request;
}
