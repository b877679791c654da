import { formatDistance, formatExactTime, formatTime } from '../format.ts';
import { usePractice } from '../practice.ts';

interface TimeProps {
  readonly at: string;
  /** `distance`: like "3 hours ago". `exact`: with seconds and the zone. */
  readonly as?: 'time' | 'time with zone' | 'exact' | 'distance';
}

/** Shows a time in the practice's time zone. Hovering shows the exact time. */
export function Time({ at, as = 'time' }: TimeProps) {
  const { timeZone } = usePractice();
  const exact = formatExactTime(at, timeZone);
  const words = {
    time: () => formatTime(at, timeZone),
    'time with zone': () => formatTime(at, timeZone, { zone: true }),
    exact: () => exact,
    distance: () => formatDistance(at, Date.now()),
  };
  return (
    <time dateTime={at} title={exact}>
      {words[as]()}
    </time>
  );
}

/** For the caption of a table with times. */
export function ZoneNote() {
  const { timeZone } = usePractice();
  return <>Times are in {timeZone.replaceAll('_', ' ')}.</>;
}
