import { Screen } from '../parts/screen.tsx';

export function SessionScreen() {
  return (
    <Screen title="Session">
      <p>Loading…</p>
    </Screen>
  );
}
