import type { ComponentChildren } from 'preact';
import { useContext } from 'preact/hooks';
import { Button } from './button.tsx';
import { useHeading, Screen, Help, Loading } from './screen.tsx';
import { PracticeContext } from '../practice.ts';

/** A screen outside any practice. */
export function Alone({ title, children }: { readonly title: string; readonly children: ComponentChildren }) {
  const heading = useHeading([...new Set([title, 'Practice dashboard'])].join(' - '));
  return (
    <main class="alone">
      <h1 ref={heading} tabIndex={-1}>
        {title}
      </h1>
      {children}
      <Help />
    </main>
  );
}

/** Shown while the dashboard opens. Unlike a screen, it does not take the focus. */
export function Opening() {
  return (
    <main class="alone">
      <h1>Practice dashboard</h1>
      <Loading />
    </main>
  );
}

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

/** Also shown for a practice that the user is not a member of. */
export function NotFound() {
  const practice = useContext(PracticeContext);
  if (practice)
    return (
      <Screen title="There is no such page">
        <p>
          Check the address, or go to <a href={`/${practice.practiceId}`}>Home</a>.
        </p>
      </Screen>
    );
  return (
    <Alone title="There is no such page">
      <p>Check the address. If it is a page of your practice, ask an admin whether you are still a member.</p>
      <p>
        <a href="/">Your practices</a>
      </p>
    </Alone>
  );
}
