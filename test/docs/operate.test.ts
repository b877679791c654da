import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { expect, it } from 'vitest';
import { commands } from '../../bin/practice/commands.ts';
import { flagOf } from '../../bin/practice/option.ts';
import { processorDebit } from '../../functions/domain/payments/processor-debit.ts';
import { accountEventTypes, debitEventTypes } from '../../functions/processors/stripe/event.ts';
import { pageText, sectionOf } from './pages.ts';

it("operate.md explains every command and option of the operator's command", () => {
  const section = sectionOf(pageText('web/docs/operate.md'), "## The operator's command");
  expect(commands.size).toBeGreaterThan(20);
  for (const [name, { options }] of commands) {
    expect(section).toMatch(new RegExp(`\`${name}[ \`]`));
    for (const option of Object.keys(options)) expect(section).toContain(flagOf(option));
  }
  for (const option of ['--data', '--stack', '--json', '--help']) expect(section).toContain(option);
});

it('operate.md lists the events that the endpoints at Stripe need', () => {
  const section = sectionOf(pageText('web/docs/operate.md'), '## Stripe');
  const listed = [...section.matchAll(/`([a-z_]+\.[a-z_.]+)`/g)].map(([, type]) => type);
  expect(listed).toEqual([...debitEventTypes, ...accountEventTypes]);
});

it('operate.md puts a lost row of ProcessorDebits back as our code reads it', () => {
  const section = sectionOf(pageText('web/docs/operate.md'), '### UnknownDebits');
  const [, item = ''] = /--item \\\n *'([^']+)'/.exec(section) ?? [];
  const row = unmarshall(JSON.parse(item) as Record<string, AttributeValue>);
  expect(processorDebit.parse(row)).toEqual({ ...row, debit: { ...row['debit'], debitId: row['debitId'] } });
});
