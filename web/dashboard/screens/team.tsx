import { Screen } from '../parts/screen.tsx';

export function Team() {
  return (
    <Screen title="Team">
      <p>Loading…</p>
    </Screen>
  );
}
