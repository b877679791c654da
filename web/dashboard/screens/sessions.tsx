import { Screen } from '../parts/screen.tsx';

export function Sessions() {
  return (
    <Screen title="Sessions">
      <p>Loading…</p>
    </Screen>
  );
}
