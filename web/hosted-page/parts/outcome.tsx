import type { ComponentChildren } from 'preact';

export type Tone = 'good' | 'waiting' | 'bad' | 'neutral';

const clock = 'M12 7v5.5l3.5 2';
const drawings = {
  good: 'M7 12.5l3.5 3.5L17 9',
  waiting: clock,
  bad: 'M12 6.5v7M12 17v.5',
  neutral: 'M12 11v6M12 7v.5',
  clock,
  lock: 'M8 11.5h8v5H8zM9.5 11V9.5a2.5 2.5 0 0 1 5 0V11',
  offline: 'M6.5 11a8 8 0 0 1 11 0M9.3 14a4 4 0 0 1 5.4 0M12 17v.2M7 6.5l10 11',
  question: 'M9.5 9.5a2.5 2.5 0 1 1 3.7 2.2q-1.2.7-1.2 1.8M12 17v.2',
};
export type Sign = keyof typeof drawings;

export function Outcome({
  tone,
  sign = tone,
  heading,
  children,
}: {
  tone: Tone;
  sign?: Sign;
  heading: string;
  children: ComponentChildren;
}) {
  return (
    <>
      <svg class={`sign ${tone}`} viewBox="0 0 24 24" aria-hidden="true">
        <circle cx="12" cy="12" r="11" />
        <path d={drawings[sign]} />
      </svg>
      <h1 tabIndex={-1}>{heading}</h1>
      {children}
    </>
  );
}
