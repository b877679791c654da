import { legalDocument, legalPages, locales, pageDocuments, preferredLocale, type Locale } from '../domain/locale.ts';
import type { ViewerEvent, ViewerRequest } from './name-viewer.ts';

/**
 * No cache key and no S3 request may contain a token. A path that we do not have, such as a mistyped link, leads to the page
 * too, which then says what to do: S3 would answer with XML.
 */
export function handler(event: ViewerEvent): ViewerRequest {
  const request = event.request;
  const legal = legalPages.find((page) => request.uri.replace(/(\.html|\/)$/, '') === `/${page}`);
  if (legal !== undefined) request.uri = `/${legalDocument(legal, localeOf(request))}`;
  else if (!isFile(request.uri) && !isForProgram(request.uri)) request.uri = `/${pageDocuments[localeOf(request)]}`;
  return request;
}

/** A dot alone does not make a file: a sentence can continue right after a mistyped link. */
function isFile(uri: string): boolean {
  return /^\/(logos|\.well-known)\/[\w./-]+$/.test(uri);
}

/** A program that has the wrong host must not get a page. */
function isForProgram(uri: string): boolean {
  return /^\/api(\/|$)/.test(uri);
}

function localeOf(request: ViewerRequest): Locale {
  // Mail programs and trackers append to a link: `?lang=es).`, `?lang=es?utm_source=mail`.
  const chosen = request.querystring['lang']?.value.split(/[^a-zA-Z]/)[0];
  return locales.find((locale) => locale === chosen) ?? preferredLocale(request.headers['accept-language']?.value);
}
