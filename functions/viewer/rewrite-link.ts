import { legalDocument, legalPages, locales, pageDocuments, preferredLocale, type Locale } from '../domain/locale.ts';
import type { ViewerEvent, ViewerRequest } from './viewer-event.ts';

/** No cache key and no S3 request may contain a token. */
export function handler(event: ViewerEvent): ViewerRequest {
  const request = event.request;
  if (request.uri === '/s' || request.uri.startsWith('/s/')) request.uri = `/${pageDocuments[localeOf(request)]}`;
  const legal = legalPages.find((page) => request.uri === `/${page}`);
  if (legal !== undefined) request.uri = `/${legalDocument(legal, localeOf(request))}`;
  return request;
}

function localeOf(request: ViewerRequest): Locale {
  const chosen = request.querystring['lang']?.value;
  return locales.find((locale) => locale === chosen) ?? preferredLocale(request.headers['accept-language']?.value);
}
