import { Screen } from '../parts/screen.tsx';

export function PracticeSettings() {
  return (
    <Screen title="Practice">
      <p>Loading…</p>
    </Screen>
  );
}
