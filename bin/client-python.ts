/** `npm run client:python`: writes the files of the Python client that come from the OpenAPI document. */
import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pythonFiles } from '../lib/openapi/python/package.ts';

const folder = resolve(import.meta.dirname, '../web/client-python/patient_invoice_payment_client');
for (const [name, text] of Object.entries(pythonFiles())) await writeFile(join(folder, name), text);
