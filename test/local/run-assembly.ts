/** Runs a template as `bin/local.ts` does: `node run-assembly.ts ASSEMBLY TEMPLATE DATA`. */
import { readFileSync } from 'node:fs';
import { runInForeground } from '../../lib/local/foreground.ts';
import { startLocalStack } from '../../lib/local/stack.ts';

const [, , assetDirectory = '', template = '', dataDir = ''] = process.argv;

await runInForeground(async () => {
  const stack = await startLocalStack({
    template: JSON.parse(readFileSync(template, 'utf8')),
    assetDirectory,
    dataDir,
    firstPort: 0,
    log: (line) => console.error(line),
  });
  console.log(`ready ${stack.apiUrl}`);
  return stack;
});
