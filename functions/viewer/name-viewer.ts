export interface ViewerEvent {
  readonly viewer: { readonly ip: string };
  readonly request: ViewerRequest;
}

export interface ViewerRequest {
  uri: string;
  readonly querystring: Readonly<Record<string, { readonly value: string }>>;
  readonly headers: Record<string, { readonly value: string }>;
}

export interface ViewerResponse {
  readonly statusCode: number;
  readonly statusDescription: string;
  readonly headers: Readonly<Record<string, { readonly value: string }>>;
  readonly body: { readonly encoding: 'text'; readonly data: string };
}

/** The API sees only CloudFront's address. Overwrites what the client sent. */
export function handler(event: ViewerEvent): ViewerRequest {
  event.request.headers['x-viewer-address'] = { value: event.viewer.ip };
  return event.request;
}
