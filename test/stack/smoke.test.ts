import { CloudFormationClient, CloudFormationServiceException } from '@aws-sdk/client-cloudformation';
import { describe, expect, it } from 'vitest';
import { smoke } from '../../bin/deploy/smoke.ts';
import { answered } from '../support/answered-client.ts';
import type { TestPractice } from '../support/local-stack.ts';
import { onStack } from '../support/on-stack.ts';

let service: TestPractice;
onStack.beforeAll(({ own }) => {
  service = own;
});

async function tested(apiKey?: string, changed: Readonly<Record<string, string>> = {}) {
  const lines: string[] = [];
  const Outputs = Object.entries({ ...service.stack.outputs, ...changed }).map(([OutputKey, OutputValue]) => ({
    OutputKey,
    OutputValue,
  }));
  const { client } = answered(new CloudFormationClient({ region: 'us-east-1' }), () => ({ Stacks: [{ Outputs }] }));
  const tools = { cloudFormation: client, get: fetch, print: (line: string) => lines.push(line) };
  return { exitCode: await smoke(tools, 'PatientInvoicePaymentSandbox', apiKey, Date.now()), lines };
}

const failed = (lines: readonly string[]) => lines.filter((line) => line.startsWith('FAILED'));

describe('the smoke test', () => {
  it('asks the API and both sites, and pays a session with a key', async () => {
    const { exitCode, lines } = await tested(service.practice.apiKey);
    expect(failed(lines)).toEqual([]);
    expect({ exitCode, lines: lines.length }).toEqual({ exitCode: 0, lines: 7 });
    expect(lines.at(-1)).toContain('succeeded');
  });

  it('of a stack that is not there asks nothing, and says so', async () => {
    const { client } = answered(new CloudFormationClient({ region: 'us-east-1' }), () => {
      const message = 'Stack with id PatientInvoicePaymentSandbox does not exist';
      throw new CloudFormationServiceException({ name: 'ValidationError', message, $fault: 'client', $metadata: {} });
    });
    const lines: string[] = [];
    const tools = { cloudFormation: client, get: fetch, print: (line: string) => lines.push(line) };
    expect(await smoke(tools, 'PatientInvoicePaymentSandbox', undefined, 0)).toBe(1);
    expect(lines).toEqual([expect.stringContaining('there is no stack PatientInvoicePaymentSandbox')]);
  });

  it('pays nothing without a key', async () => {
    expect((await tested()).lines).toHaveLength(6);
  });

  it('fails if a site or the API does not answer, or the key is wrong', async () => {
    const silent = await tested(undefined, { HostedPageUrl: 'http://127.0.0.1:9' });
    expect({ exitCode: silent.exitCode, failed: failed(silent.lines).length }).toEqual({ exitCode: 1, failed: 2 });
    const swapped = await tested(undefined, { HostedPageUrl: service.apiUrl });
    expect(failed(swapped.lines)).not.toEqual([]);
    const refused = await tested('pip_sandbox_wrong');
    expect(failed(refused.lines)).toHaveLength(1);
  });
});
