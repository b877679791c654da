import { Alone } from '../parts/alone.tsx';
import { Button } from '../parts/button.tsx';

export function Crash({ retry }: { readonly retry: () => void }) {
  return (
    <Alone title="Something broke on this page">
      <p>Nothing was changed by that. Try again; if it happens once more, tell whoever runs this service.</p>
      <div class="actions">
        <Button kind="primary" onClick={retry}>
          Try again
        </Button>
      </div>
    </Alone>
  );
}

export function NewVersion() {
  return (
    <div class="empty">
      <h1>This screen could not be loaded</h1>
      <p>The dashboard was updated, or the connection is gone. Reload to go on.</p>
      <Button kind="primary" onClick={() => location.reload()}>
        Reload
      </Button>
    </div>
  );
}
