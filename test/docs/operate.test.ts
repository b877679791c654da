import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { accountEventTypes, debitEventTypes } from '../../functions/processors/stripe/event.ts';
import { pageText, root, sectionOf } from './pages.ts';

it("operate.md explains every command and option of the operator's command", () => {
  const usage = execFileSync(process.execPath, ['bin/practice.ts', '--help'], { cwd: root, encoding: 'utf8' });
  const commands = [...usage.matchAll(/^ {2}([a-z-]+)/gm)].map(([, command]) => command);
  const options = new Set([...usage.matchAll(/--[a-z-]+/g)].map(([option]) => option));
  expect(commands.length).toBeGreaterThan(10);
  expect(options.size).toBeGreaterThan(10);
  const section = sectionOf(pageText('web/docs/operate.md'), "## The operator's command");
  for (const command of commands) expect(section).toMatch(new RegExp(`\`${command}[ \`]`));
  for (const option of options) expect(section).toContain(option);
});

it('operate.md lists the events that the endpoints at Stripe need', () => {
  const section = sectionOf(pageText('web/docs/operate.md'), '## Stripe');
  const listed = [...section.matchAll(/`([a-z_]+\.[a-z_.]+)`/g)].map(([, type]) => type);
  expect(listed).toEqual([...debitEventTypes, ...accountEventTypes]);
});
