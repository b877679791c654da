import type { ViewerEvent, ViewerRequest, ViewerResponse } from './name-viewer.ts';

declare global {
  /** The names of the docs' pages. Set at build time. */
  const docsNames: readonly string[];
}

/** Every dashboard URL serves the same document, so that it can be bookmarked. Each page of the docs is its own document. */
export function handler(event: ViewerEvent): ViewerRequest | ViewerResponse {
  const request = event.request;
  if (/^\/docs(\/|$)/.test(request.uri)) {
    const name = request.uri.replace(/^\/docs\/?/, '').replace(/(\/|\.html)$/, '') || 'index';
    if (docsNames.indexOf(name) === -1) return notFound;
    request.uri = `/docs/${name}.html`;
  } else if (!/^\/(api|assets|logos|\.well-known)\//.test(request.uri)) request.uri = '/index.html';
  return request;
}

/** Written here, because a document from the bucket would have the status 200. */
const notFound: ViewerResponse = {
  statusCode: 404,
  statusDescription: 'Not Found',
  headers: { 'content-type': { value: 'text/html; charset=utf-8' } },
  body: {
    encoding: 'text',
    data: `<!doctype html>
<html lang="en">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Page not found</title>
<main>
<h1>There is no such page</h1>
<p>The <a href="/docs/">quick start</a> has a menu of all pages.</p>
</main>
`,
  },
};
