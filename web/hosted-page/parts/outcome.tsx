import type { ComponentChildren } from 'preact';

export type Tone = 'good' | 'waiting' | 'bad' | 'neutral';

const drawings: Record<Tone, string> = {
  good: 'M7 12.5l3.5 3.5L17 9',
  waiting: 'M12 7v5.5l3.5 2',
  bad: 'M12 6.5v7M12 17v.5',
  neutral: 'M7.5 12h9',
};

export function Outcome({ tone, heading, children }: { tone: Tone; heading: string; children: ComponentChildren }) {
  return (
    <>
      <svg class={`sign ${tone}`} viewBox="0 0 24 24" aria-hidden="true">
        <circle cx="12" cy="12" r="11" />
        <path d={drawings[tone]} />
      </svg>
      <h1 tabIndex={-1}>{heading}</h1>
      {children}
    </>
  );
}
