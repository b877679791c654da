import type { ViewerEvent, ViewerRequest } from './name-viewer.ts';

declare global {
  /** The names of the docs' pages. Set at build time. */
  const docsNames: readonly string[];
}

/** Every dashboard URL serves the same document, so that it can be bookmarked. Each page of the docs is its own document. */
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
