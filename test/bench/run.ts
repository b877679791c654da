/** Writes the tables into `web/docs/measured.md` between its markers: all of them, or only those of the named parts. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { benchDashboardBytes, benchDashboardLighthouse, benchDashboardList } from './dashboard.ts';
import { dated, replaceTables } from './report.ts';
import { benchDeliveries } from './deliveries.ts';
import { benchEventCapacity, benchListCapacity } from './list-capacity.ts';
import { benchExpiry } from './expiry.ts';
import { benchPlatformCapacity } from './platform-capacity.ts';
import { benchFixedPrice, benchPrice } from './price.ts';
import { benchImportTime } from './import-time.ts';
import { benchLighthouse } from './lighthouse.ts';
import { benchLocalRun } from './local-run.ts';
import { benchOldData } from './old-data.ts';
import { benchPageBytes, benchPageLoad } from './page-load.ts';
import { benchPageJourney } from './page-journey.ts';
import { benchRandomIds } from './random-ids.ts';
import { benchSender } from './sender.ts';
import { benchWriteUnits } from './write-units.ts';

const page = join(import.meta.dirname, '../../web/docs/measured.md');
const [begin, end] = ['<!-- bench:begin -->', '<!-- bench:end -->'];

/** In the page's order. Each returns its table. */
const benches: Readonly<Record<string, () => Promise<string>>> = {
  'local-run': benchLocalRun,
  'old-data': benchOldData,
  'page-bytes': benchPageBytes,
  'page-journey': benchPageJourney,
  'page-load': benchPageLoad,
  lighthouse: benchLighthouse,
  'dashboard-bytes': benchDashboardBytes,
  'dashboard-lighthouse': benchDashboardLighthouse,
  'dashboard-list': benchDashboardList,
  'import-time': benchImportTime,
  'list-capacity': benchListCapacity,
  'event-capacity': benchEventCapacity,
  'platform-capacity': benchPlatformCapacity,
  sender: benchSender,
  deliveries: benchDeliveries,
  expiry: benchExpiry,
  'write-units': benchWriteUnits,
  price: benchPrice,
  'fixed-price': benchFixedPrice,
  'random-ids': benchRandomIds,
};

// A bench that writes by itself would print a line for each change.
process.env['LOG_LEVEL'] = 'SILENT';

const text = await readFile(page, 'utf8');
const [before = '', rest = ''] = text.split(begin);
const [old = '', after = ''] = rest.split(end);

const chosen = process.argv.slice(2);
const unknown = chosen.filter((name) => !Object.hasOwn(benches, name));
if (unknown.length > 0) throw new Error(`Choose from ${Object.keys(benches).join(', ')}.`);

const measured: string[] = [];
for (const [name, bench] of Object.entries(benches))
  if (chosen.length === 0 || chosen.includes(name)) measured.push(dated(await bench(), new Date()));
console.log(measured.join('\n\n'));

const report = chosen.length === 0 ? measured.join('\n\n') : replaceTables(old, measured);
await writeFile(page, `${before}${begin}\n${report}\n${end}${after}`);
