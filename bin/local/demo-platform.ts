import { defaultScopes, type Scope } from '../../functions/domain/practices/api-key.ts';
import { practiceEventTypes } from '../../functions/domain/practices/platform.ts';
import { sessionEventTypes } from '../../functions/domain/sessions/transitions.ts';
import { addKey } from '../../functions/practices/keys.ts';
import { createPlatformPractice } from '../../functions/practices/platform-practices.ts';
import { createPlatform } from '../../functions/practices/platforms.ts';
import { testBankOf } from '../../functions/practices/test-bank.ts';
import { addEndpoint, placeEndpoint } from '../../functions/webhooks/webhook-endpoints.ts';
import { author } from '../practice/command.ts';
import { readLastStackFile, type DemoPlatform, type StackFile } from '../practice/files.ts';
import type { OperatedStack } from '../practice/stack.ts';
import { isLastingKey } from './demo-practice.ts';

type Tools = Pick<OperatedStack, 'database' | 'mode' | 'randomBytes' | 'allowLoopbackWebhooks'>;

/** The path at which the demo's receiver gets the platform's webhooks. */
export const platformPath = '/platform';

/** Unlike a platform's first key, the demo's key manages endpoints too. */
const scopes: Scope[] = [...defaultScopes, 'practices:write', 'webhooks:write'];

const eventTypes = [...sessionEventTypes, ...practiceEventTypes];

/** Finds the platform of an earlier run or, if `wanted`, creates one with two practices. Sandbox only. */
export async function findDemoPlatform(
  tools: Tools,
  { dataDir, webhookUrl, wanted }: { readonly dataDir: string; readonly webhookUrl: string; readonly wanted: boolean },
): Promise<DemoPlatform | undefined> {
  const last = (await readLastStackFile(dataDir))?.platform;
  if (!last) return wanted ? createDemoPlatform(tools, webhookUrl) : undefined;
  const { platformId, endpointId, apiKey } = last;
  const key = { practiceId: platformId, endpointId, author };
  const endpoint = await placeEndpoint(tools, { ...key, url: webhookUrl, eventTypes }, Date.now());
  const lasting = (await isLastingKey(tools, apiKey)) ? { apiKey } : await addDemoKey(tools, platformId);
  return {
    ...last,
    apiKey: lasting.apiKey,
    endpointId: endpoint.endpointId,
    signingSecret: endpoint.signingSecret,
    webhookUrl,
  };
}

async function addDemoKey(tools: Tools, platformId: string) {
  return addKey(tools, { practiceId: platformId, name: 'Demo key', scopes, author }, Date.now());
}

async function createDemoPlatform(tools: Tools, webhookUrl: string): Promise<DemoPlatform> {
  const { platformId } = await createPlatform(tools, { name: 'Harbor Practice Software', author }, Date.now());
  const { apiKey } = await addDemoKey(tools, platformId);
  const given = { practiceId: platformId, url: webhookUrl, eventTypes, author };
  const { endpointId, signingSecret } = await addEndpoint(tools, given, Date.now());
  const practices: DemoPlatform['practices'] = [];
  for (const name of ['Harbor Dental', 'Bayside Clinic']) {
    const body = { name, supportPhone: '+1 555 010 0100' };
    const { response } = await createPlatformPractice(
      { ...tools, testBankOf },
      { platformId, body, author },
      Date.now(),
    );
    const { practiceId, testBank } = response;
    practices.push({ practiceId, name, testBankPassword: testBank?.password ?? '' });
  }
  return { platformId, apiKey, endpointId, signingSecret, webhookUrl, practices };
}

export function platformLines(
  { platformId, apiKey, webhookUrl, signingSecret, practices }: DemoPlatform,
  { apiUrl }: Pick<StackFile, 'apiUrl'>,
): string {
  const listed = practices.map(
    (each) => `${each.practiceId}  ${each.name}, test bank password ${each.testBankPassword}`,
  );
  return `Platform     ${platformId}
Its API key  ${apiKey}
Webhooks     ${webhookUrl}  (verified and printed here)
Secret       ${signingSecret}
Practices    ${listed.join('\n             ')}

Create a practice in the platform, then a session for one of its practices:

curl -s ${apiUrl}/api/platform/practices \\
  -H 'Authorization: Bearer ${apiKey}' -H 'Content-Type: application/json' \\
  -d '{"name":"Cove Pediatrics","supportPhone":"+1 555 010 0100"}'

curl -s ${apiUrl}/api/practice/sessions \\
  -H 'Authorization: Bearer ${apiKey}' -H 'Practice-Id: ${practices[0]?.practiceId ?? ''}' \\
  -H 'Content-Type: application/json' \\
  -d '{"invoiceId":"INV-1043","amountCents":18250,"patient":{"firstName":"Ada","lastName":"Okafor"}}'
`;
}
