import { Screen } from '../parts/screen.tsx';

export function Deliveries() {
  return (
    <Screen title="Webhook deliveries">
      <p>Loading…</p>
    </Screen>
  );
}
