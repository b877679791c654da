/** Prints the OpenAPI document: `npm run openapi --silent > openapi.json`, and with `-- --server URL` and `--mode sandbox` or `live` for one host. */
import { parseArgs } from 'node:util';
import { modes } from '../functions/domain/mode.ts';
import { openApiDocument } from '../lib/openapi/document.ts';
import service from '../package.json' with { type: 'json' };

const { server, mode } = parseArgs({ options: { server: { type: 'string' }, mode: { type: 'string' } } }).values;
if (server !== undefined && !URL.canParse(server))
  throw new Error('--server takes a URL, such as http://127.0.0.1:4000');
const chosen = modes.find((each) => each === mode);
if (mode !== chosen) throw new Error(`--mode takes ${modes.join(' or ')}`);
const options = { ...(server !== undefined && { server }), ...(chosen !== undefined && { mode: chosen }) };
console.log(JSON.stringify(openApiDocument(service.version, options), null, 2));
