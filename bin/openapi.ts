/** Prints the OpenAPI document: `npm run openapi --silent > openapi.json`, and with `-- --server URL` for one host. */
import { parseArgs } from 'node:util';
import { openApiDocument } from '../lib/openapi/document.ts';
import service from '../package.json' with { type: 'json' };

const { server } = parseArgs({ options: { server: { type: 'string' } } }).values;
if (server !== undefined && !URL.canParse(server))
  throw new Error('--server takes a URL, such as http://127.0.0.1:4000');
console.log(JSON.stringify(openApiDocument(service.version, server === undefined ? {} : { server }), null, 2));
