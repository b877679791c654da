import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { stateDiagram } from './support/state-diagram.ts';

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');

describe('the README', () => {
  it('shows the state diagram that the transitions table gives', () => {
    expect(readme).toContain(`\`\`\`mermaid\n${stateDiagram()}\n\`\`\``);
  });

  it('names only scripts that exist', () => {
    const { scripts } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
      scripts: Record<string, string>;
    };
    const named = [...readme.matchAll(/npm (?:run (\w+)|(start|test))/g)].map(([, run, plain]) => run ?? plain ?? '');
    expect(named).toContain('start');
    for (const script of named) expect(Object.keys(scripts)).toContain(script);
  });
});
