import type { ViewerEvent, ViewerRequest } from './viewer-event.ts';

/** The dashboard's pages are one document, so that each URL can be bookmarked. A page of the docs is a document. */
export function handler(event: ViewerEvent): ViewerRequest {
  const request = event.request;
  if (/^\/docs(\/|$)/.test(request.uri)) request.uri = docsDocument(request.uri);
  else if (!/^\/(api|assets|logos)\//.test(request.uri)) request.uri = '/index.html';
  return request;
}

function docsDocument(uri: string): string {
  const name = uri.replace(/^\/docs\/?/, '').replace(/(\/|\.html)$/, '');
  return `/docs/${name === '' ? 'index' : name}.html`;
}
