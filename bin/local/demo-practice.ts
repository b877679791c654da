import { createPractice } from '../../functions/practices/create.ts';
import { getSigningSecret } from '../../functions/webhooks/signing-secrets.ts';
import { placeEndpoint } from '../../functions/webhooks/webhook-endpoints.ts';
import { startDemoReceiver, type DemoReceiver } from '../../lib/local/demo-receiver.ts';
import { author } from '../practice/command.ts';
import { parseCreatedPractice, readDemoPractice, type CreatedPractice } from '../practice/files.ts';
import type { OperatedStack } from '../practice/stack.ts';

/** Finds or creates the demo practice, and starts its webhook receiver. */
export async function startDemo(
  operated: OperatedStack,
  dataDir: string,
  port: number,
): Promise<{ practice: CreatedPractice; receiver: DemoReceiver }> {
  const url = `http://127.0.0.1:${port}/webhooks`;
  const contact = {
    supportPhone: '+1 555 010 0100',
    supportEmail: 'billing@lakeside.example',
    postalAddress: '120 Lakeside Drive\nSpringfield, IL 62701',
  };
  const kept =
    (await readDemoPractice(dataDir)) ??
    parseCreatedPractice(
      await createPractice(
        operated,
        { name: 'Lakeside Family Practice', webhookUrl: url, ...contact, author },
        Date.now(),
      ),
    );
  const { endpointId, signingSecret } = await placeEndpoint(operated, { ...kept, url, author }, Date.now());
  const practice = { ...kept, endpointId, signingSecret, webhookUrl: url };
  const secretOf = () => getSigningSecret(operated, practice);
  const receiver = await startDemoReceiver(
    port,
    secretOf,
    (webhook) =>
      console.log(
        `webhook      ${webhook.type}  ${'status' in webhook.data ? `${webhook.data.invoiceId}  ${webhook.data.status}  ` : ''}verified  ${webhook.id}`,
      ),
    () => console.log(`webhook      refused: it is not signed with the secret of ${practice.practiceId}`),
  );
  return { receiver, practice };
}
