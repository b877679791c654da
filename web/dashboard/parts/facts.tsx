import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { DeliverySummary } from '../../../functions/contract/webhooks/dashboard-deliveries.ts';
import type { MemberSession } from '../../../functions/contract/sessions/dashboard-sessions.ts';
import type { EndpointSummary } from '../../../functions/contract/webhooks/dashboard-endpoints.ts';
import { timeZoneName } from '../days.ts';
import { formatDistance, formatExactTime, formatTime } from '../format.ts';
import { usePractice } from '../practice.ts';
import { badgeOf } from '../session-words.ts';

type Fact = readonly [label: string, value: ComponentChildren];

/** A list of labels and values. Leaves out facts without a value. */
export function Facts({ facts }: { readonly facts: readonly Fact[] }) {
  return (
    <dl class="facts">
      {facts
        .filter(([, value]) => value !== undefined && value !== false)
        .map(([label, value]) => (
          <div key={label}>
            <dt class="quiet">{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  );
}

type Tone = 'good' | 'waiting' | 'bad' | 'warning' | 'quiet';

export function Tag({ tone, children }: { readonly tone: Tone; readonly children: ComponentChildren }) {
  return <span class={`tag ${tone}`}>{children}</span>;
}

export function SessionStatus({ session }: { readonly session: MemberSession }) {
  const { tone, words } = badgeOf(session);
  return <Tag tone={tone}>{words}</Tag>;
}

export const deliveryStatuses = {
  pending: { tone: 'waiting', words: 'Pending' },
  delivered: { tone: 'good', words: 'Delivered' },
  failed: { tone: 'bad', words: 'Failed' },
  skipped: { tone: 'quiet', words: 'Skipped' },
} as const satisfies Record<DeliverySummary['status'], { tone: Tone; words: string }>;

export function DeliveryStatus({ status }: { readonly status: DeliverySummary['status'] }) {
  const { tone, words } = deliveryStatuses[status];
  return <Tag tone={tone}>{words}</Tag>;
}

/** The practice that a platform's delivery is about, shown by its ID once it has left the platform. */
export function practiceOfDelivery({ movedPracticeId, eventPracticeId, practiceName }: DeliverySummary) {
  const practiceId = movedPracticeId ?? eventPracticeId;
  if (practiceId === undefined) return undefined;
  return practiceName === undefined ? <code>{practiceId}</code> : <a href={`/${practiceId}`}>{practiceName}</a>;
}

type Health = Pick<EndpointSummary, 'status' | 'disabledReason' | 'failingSince'>;

export function EndpointStatus({ of: { status, disabledReason, failingSince } }: { readonly of: Health }) {
  if (status === 'disabled')
    return disabledReason === undefined ? <Tag tone="quiet">Disabled</Tag> : <Tag tone="bad">Turned off</Tag>;
  return failingSince === undefined ? <Tag tone="good">Enabled</Tag> : <Tag tone="warning">Failing</Tag>;
}

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

export function ZoneNote() {
  const { timeZone } = usePractice();
  return <>Times are in {timeZoneName(timeZone)}.</>;
}

interface UnfoldsProps {
  readonly summary: ComponentChildren;
  readonly children: ComponentChildren;
}

/** Draws and loads its content only once it is open. */
export function Unfolds({ summary, children }: UnfoldsProps) {
  const [open, setOpen] = useState(false);
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{summary}</summary>
      {open && children}
    </details>
  );
}

/** What developers and support ask for: IDs, URLs, types of events. */
export function TechnicalDetails({ children }: Pick<UnfoldsProps, 'children'>) {
  return (
    <Unfolds summary="Technical details">
      <div class="technical-details">{children}</div>
    </Unfolds>
  );
}
