/** The process of the stand-in for Stripe: takes its options as an argument, prints its addresses, ends with its input. */
import { parseJson } from '../json.ts';
import { SetupError } from '../setup-error.ts';
import { standInOptions, startStandIn } from './stand-in.ts';

const { apiBase, scriptUrl, stop } = await startStandIn(standInOptions.parse(parseJson(process.argv[2] ?? ''))).catch(
  (error: unknown) => {
    console.error(error instanceof SetupError ? error.message : error);
    process.exit(1);
  },
);
console.log(JSON.stringify({ apiBase, scriptUrl }));
process.stdin
  .once('close', () => {
    void stop().then(() => process.exit(0));
  })
  .resume();
