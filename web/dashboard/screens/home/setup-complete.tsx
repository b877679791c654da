import { useLayoutEffect, useState } from 'preact/hooks';
import { Notice } from '../../parts/notice.tsx';
import { usePractice } from '../../practice.ts';
import { isSetUp, type Done } from './checklist.tsx';

/** Shown once, in a browser that showed open steps before. */
export function SetupComplete({ done }: { readonly done: Done }) {
  const { practiceId } = usePractice();
  const name = `setting up ${practiceId}`;
  const complete = isSetUp(done);
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
