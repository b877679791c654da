import { GetAccountSettingsCommand, type LambdaClient } from '@aws-sdk/client-lambda';
import { look, missing, ok, warning, type Finding } from './finding.ts';

/** The quota of a new account. */
const enough = 100;
/** Lambda keeps 100 for functions without a reservation. The APIs need more than that beside the queues. */
const enoughToReserve = 400;
const quotaRequest =
  'aws service-quotas request-service-quota-increase --service-code lambda --quota-code L-B99A9384 --desired-value 1000';

export function checkConcurrency(
  client: LambdaClient,
  { reserve, prefix }: { readonly reserve: boolean; readonly prefix: string },
): Promise<Finding[]> {
  const request = `${prefix}${quotaRequest}`;
  return look('Lambda', 'lambda:GetAccountSettings', async () => {
    const { AccountLimit } = await client.send(new GetAccountSettingsCommand({}));
    const { ConcurrentExecutions: quota = 0, UnreservedConcurrentExecutions: free = 0 } = AccountLimit ?? {};
    const text = `Lambda: the account runs ${quota} functions at once, ${free} not reserved`;
    if (reserve && quota < enoughToReserve) return [missing(`${text}. Leave out -c reserve=true, or ask: ${request}`)];
    if (quota < enough) return [warning(`${text}: too few for real traffic. Ask: ${request}`)];
    if (!reserve && free >= enoughToReserve) return [warning(`${text}. Add -c reserve=true.`)];
    return [ok(`${text}.`)];
  });
}
