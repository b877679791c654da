import { Screen } from '../parts/screen.tsx';

export function NewPaymentLink() {
  return (
    <Screen title="New payment link">
      <p>Loading…</p>
    </Screen>
  );
}
