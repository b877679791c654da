/** Writes the tables into `web/docs/measured.md` between its markers. */
import { readFile, writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { benchDashboardBytes } from './dashboard-bytes.ts';
import { benchDashboardLighthouse } from './dashboard-lighthouse.ts';
import { benchDashboardList } from './dashboard-list.ts';
import { benchEventCapacity } from './event-capacity.ts';
import { benchImportTime } from './import-time.ts';
import { benchLighthouse } from './lighthouse.ts';
import { benchListCapacity } from './list-capacity.ts';
import { benchLocalRun } from './local-run.ts';
import { benchPageBytes } from './page-bytes.ts';
import { benchPageJourney } from './page-journey.ts';
import { benchPrice } from './price.ts';
import { benchSender } from './sender.ts';
import { benchWriteUnits } from './write-units.ts';

const page = join(import.meta.dirname, '../../web/docs/measured.md');
const [begin, end] = ['<!-- bench:begin -->', '<!-- bench:end -->'];

const machine = `Measured on ${new Date().toISOString().slice(0, 10)}: ${cpus().length} cores, Node ${process.versions.node}.`;
const benches = [
  benchLocalRun,
  benchPageBytes,
  benchPageJourney,
  benchLighthouse,
  benchDashboardBytes,
  benchDashboardLighthouse,
  benchDashboardList,
  benchImportTime,
  benchListCapacity,
  benchEventCapacity,
  benchSender,
  benchWriteUnits,
  benchPrice,
];
const tables: string[] = [];
for (const bench of benches) tables.push(await bench());
const report = [machine, ...tables].join('\n\n');
console.log(report);

const text = await readFile(page, 'utf8');
const [before, rest = ''] = text.split(begin);
await writeFile(page, `${before}${begin}\n${report}\n${end}${rest.split(end)[1] ?? ''}`);
