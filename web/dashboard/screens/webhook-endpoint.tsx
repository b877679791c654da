import { Screen } from '../parts/screen.tsx';

export function WebhookEndpoint() {
  return (
    <Screen title="Webhook endpoint">
      <p>Loading…</p>
    </Screen>
  );
}
