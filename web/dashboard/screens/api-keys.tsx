import { Screen } from '../parts/screen.tsx';

export function ApiKeys() {
  return (
    <Screen title="API keys">
      <p>Loading…</p>
    </Screen>
  );
}
