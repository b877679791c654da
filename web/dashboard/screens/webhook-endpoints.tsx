import { Screen } from '../parts/screen.tsx';

export function WebhookEndpoints() {
  return (
    <Screen title="Webhooks">
      <p>Loading…</p>
    </Screen>
  );
}
