import { useContext } from 'preact/hooks';
import { Alone } from '../parts/alone.tsx';
import { Screen } from '../parts/screen.tsx';
import { PracticeContext } from '../practice.ts';

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
