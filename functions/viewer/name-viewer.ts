import type { ViewerEvent, ViewerRequest } from './viewer-event.ts';

/** Tells the patient API the viewer's address, since the API sees only CloudFront's. Overwrites what the client sent. */
export function handler(event: ViewerEvent): ViewerRequest {
  event.request.headers['x-viewer-address'] = { value: event.viewer.ip };
  return event.request;
}
