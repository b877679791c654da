import { useEffect, useState } from 'preact/hooks';
import { formatTime } from '../format.ts';
import { usePractice } from '../practice.ts';

/** Only on paper: whose data it is, and as of when. */
export function Printed() {
  const { name, timeZone } = usePractice();
  const [at, setAt] = useState(() => new Date());
  useEffect(() => {
    const printing = () => setAt(new Date());
    addEventListener('beforeprint', printing);
    return () => removeEventListener('beforeprint', printing);
  }, []);
  return (
    <p class="on-paper printed">
      {name}. Printed {formatTime(at.toISOString(), timeZone, { zone: true })}.
    </p>
  );
}
