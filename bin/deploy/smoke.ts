import type { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import { createPaymentClient } from '../../web/client/index.ts';
import { findStack } from '../../lib/deploy/find-stack.ts';

interface SmokeTools {
  readonly cloudFormation: CloudFormationClient;
  readonly get: (url: string) => Promise<Pick<Response, 'status' | 'text'>>;
  readonly print: (line: string) => void;
}

/** What a deployed stack answers from outside: a path below each output, its status, and a part of its text. */
const answers = [
  { output: 'ApiUrl', path: '/openapi.json', status: 200, text: '"openapi"' },
  { output: 'HostedPageUrl', path: '/', status: 200, text: '<html' },
  { output: 'DashboardUrl', path: '/', status: 200, text: '<html' },
  { output: 'DocsUrl', path: '', status: 200, text: '<html' },
  // Goes through the distributions: a function answers, not CloudFront.
  { output: 'HostedPageUrl', path: '/api/patient/session', status: 404, text: '"code"' },
  { output: 'DashboardUrl', path: '/api/dashboard/me', status: 401, text: '"code"' },
] as const;

/** Probes a deployed stack from outside; with a sandbox key, also pays a session. Returns the exit code. */
export async function smoke(
  { cloudFormation, get, print }: SmokeTools,
  stackName: string,
  apiKey: string | undefined,
  now: number,
): Promise<number> {
  const stack = await findStack(cloudFormation, stackName);
  if (!stack) {
    print(`FAILED   there is no stack ${stackName} in this account and region`);
    return 1;
  }
  const outputs = new Map(stack.Outputs?.map(({ OutputKey, OutputValue = '' }) => [OutputKey, OutputValue]));
  let failures = 0;
  const tell = (works: boolean, line: string) => {
    print(`${works ? 'ok     ' : 'FAILED '}  ${line}`);
    if (!works) failures += 1;
  };
  for (const { output, path, status, text } of answers) {
    const url = `${outputs.get(output) ?? ''}${path}`;
    const { status: got, text: body } = await get(url).then(
      async (answer) => ({ status: answer.status, text: await answer.text() }),
      (error: unknown) => ({ status: String(error), text: '' }),
    );
    tell(got === status && body.toLowerCase().includes(text), `${url || output} answers ${got}`);
  }
  if (apiKey !== undefined) {
    const status = await payOne(outputs.get('ApiUrl') ?? '', apiKey, now).catch(String);
    tell(status === 'succeeded', `a sandbox session ends as ${status}`);
  }
  return failures === 0 ? 0 : 1;
}

async function payOne(apiUrl: string, apiKey: string, now: number): Promise<string> {
  const client = createPaymentClient({ apiUrl, apiKey });
  const patient = { firstName: 'Smoke', lastName: 'Test' };
  const { sessionId } = await client.sessions.create({ invoiceId: `smoke-${now}`, amountCents: 100, patient });
  return (await client.sandbox.simulate(sessionId, 'user_good')).status;
}
