/** `node test/bench/bursts.ts [rounds]`: repeats bursts through the whole running stack, to show that none stalls. */
import { repeatBursts } from './deliveries.ts';

process.env['LOG_LEVEL'] = 'SILENT';
await repeatBursts(Number(process.argv[2] ?? 20));
