import { useLayoutEffect, useState } from 'preact/hooks';
import { ButtonLink } from '../parts/button.tsx';
import { Screen, Loaded, Loading } from '../parts/screen.tsx';
import { allows, usePractice } from '../practice.ts';
import { useAnswer } from '../use-answer.ts';
import { useEvery } from '../use-every.ts';
import { Attention } from './home/attention.tsx';
import { Checklist, isSetUp, type Done } from './home/checklist.tsx';
import { PaymentsOfMonth } from './home/payments-of-month.tsx';
import { Notice } from '../parts/notice.tsx';

export function Home() {
  const { practiceId, role, mode } = usePractice();
  const home = useAnswer('getHome', { params: { practiceId } });
  const alerts = useAnswer('getAlerts', { params: { practiceId } });
  const done = home.loaded.state === 'ready' ? home.loaded.value.checklist : undefined;
  // Polled, because steps are done elsewhere, such as on a patient's phone.
  useEvery(5, done?.paidSession === false, home.reload);
  return (
    <Screen
      title="Home"
      actions={
        allows(role, 'staff') &&
        done?.paidSession && (
          <ButtonLink kind="primary" href={`/${practiceId}/sessions/new`}>
            New payment link
          </ButtonLink>
        )
      }
    >
      {/* Shown together: a late part would push the rest down. */}
      {alerts.loaded.state === 'loading' ? (
        <Loading />
      ) : (
        <Loaded of={home}>
          {(value) => (
            <>
              <SetupComplete key={practiceId} done={value.checklist} />
              {!value.checklist.paidSession && <Checklist done={value.checklist} />}
              <Loaded of={alerts}>{(found) => <Attention alerts={found} />}</Loaded>
              {value.checklist.paidSession && <PaymentsOfMonth home={value} />}
              {value.checklist.paidSession && !isSetUp(value.checklist, mode) && <Checklist done={value.checklist} />}
            </>
          )}
        </Loaded>
      )}
    </Screen>
  );
}

/** Shown once, in a browser that showed open steps before. */
function SetupComplete({ done }: { readonly done: Done }) {
  const { practiceId, mode } = usePractice();
  const name = `setting up ${practiceId}`;
  const complete = isSetUp(done, mode);
  const [isNews, setNews] = useState(false);
  useLayoutEffect(() => {
    if (!complete) localStorage.setItem(name, 'yes');
    else if (localStorage.getItem(name) !== null) {
      localStorage.removeItem(name);
      setNews(true);
    }
  }, [complete, name]);
  if (!isNews) return null;
  return (
    <Notice kind="good" title="Setup is complete">
      <p>Every step is done. From now on, this page shows your payments.</p>
    </Notice>
  );
}
