/** Prints the OpenAPI document: `npm run openapi --silent > openapi.json`. */
import { openApiDocument } from '../lib/openapi/document.ts';
import service from '../package.json' with { type: 'json' };

console.log(JSON.stringify(openApiDocument(service.version), null, 2));
