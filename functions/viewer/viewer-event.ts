/** What our functions use of CloudFront's viewer-request event. */
export interface ViewerEvent {
  readonly viewer: { readonly ip: string };
  readonly request: ViewerRequest;
}

export interface ViewerRequest {
  uri: string;
  readonly querystring: Readonly<Record<string, { readonly value: string }>>;
  /** By lower-case name. */
  readonly headers: Record<string, { readonly value: string }>;
}
