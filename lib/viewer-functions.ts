/**
 * Rewrites every link to the page, complete or not, so no cache key and no S3 request contains a token. `?lang=` picks
 * the document, else Accept-Language as in functions/domain/locale.ts, which CloudFront cannot load.
 */
export const rewriteLink = `var languages = ['en', 'es'];

function handler(event) {
  var request = event.request;
  if (request.uri === '/s' || request.uri.startsWith('/s/')) request.uri = languageFor(request) === 'es' ? '/index.es.html' : '/index.html';
  return request;
}

function languageFor(request) {
  var chosen = request.querystring.lang;
  if (chosen && languages.includes(chosen.value)) return chosen.value;
  var header = request.headers['accept-language'];
  var ranges = (header ? header.value : '').split(',').map(rangeOf);
  var unnamed = languages.filter(function (language) {
    return !ranges.some(function (range) { return range.language === language; });
  });
  var best = { language: 'en', quality: 0 };
  ranges.forEach(function (range) {
    var language = range.language === '*' ? unnamed[0] : range.language;
    if (languages.includes(language) && range.quality > best.quality) best = { language: language, quality: range.quality };
  });
  return best.language;
}

function rangeOf(element) {
  var parts = element.toLowerCase().split(';');
  var weight = parts.length === 1 ? ['', '1'] : /^q=(0(?:\\.\\d{0,3})?|1(?:\\.0{0,3})?)$/.exec(parts[1].trim());
  return { language: parts[0].trim().split('-')[0], quality: weight ? Number(weight[1]) : 0 };
}
`;

/** Passes the viewer's address to the patient API, which only sees CloudFront's. Overwrites a client's own header. */
export const nameViewer = `function handler(event) {
  var request = event.request;
  request.headers['x-viewer-address'] = { value: event.viewer.ip };
  return request;
}
`;
