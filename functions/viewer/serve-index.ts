import type { ViewerEvent, ViewerRequest } from './viewer-event.ts';

declare global {
  /** Of the pages of the docs. Set at build. */
  const docsNames: readonly string[];
}

/** The dashboard's pages are one document, so that each URL can be bookmarked. A page of the docs is a document. */
export function handler(event: ViewerEvent): ViewerRequest {
  const request = event.request;
  if (/^\/docs(\/|$)/.test(request.uri)) request.uri = docsDocument(request.uri);
  else if (!/^\/(api|assets|logos|\.well-known)\//.test(request.uri)) request.uri = '/index.html';
  return request;
}

function docsDocument(uri: string): string {
  const name = uri.replace(/^\/docs\/?/, '').replace(/(\/|\.html)$/, '') || 'index';
  return `/docs/${docsNames.indexOf(name) === -1 ? 'not-found' : name}.html`;
}
