import { Screen } from '../parts/screen.tsx';

export function TestBank() {
  return (
    <Screen title="Test bank">
      <p>Loading…</p>
    </Screen>
  );
}
