import { Screen } from '../parts/screen.tsx';

export function AuditLog() {
  return (
    <Screen title="Audit log">
      <p>Loading…</p>
    </Screen>
  );
}
