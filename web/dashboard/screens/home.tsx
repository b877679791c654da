import { Screen } from '../parts/screen.tsx';

export function Home() {
  return (
    <Screen title="Home">
      <p>Loading…</p>
    </Screen>
  );
}
