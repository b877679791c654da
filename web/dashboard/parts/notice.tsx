import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { errorWords, type ApiProblem } from '../api.ts';
import { problemWords } from '../session-words.ts';
import { Button } from './button.tsx';

interface NoticeProps {
  readonly kind: 'info' | 'good' | 'warning' | 'bad';
  readonly title?: string;
  /** Shown above the rest of the screen, and not printed. */
  readonly banner?: boolean;
  /** Read out at once by a screen reader. */
  readonly urgent?: boolean;
  readonly children?: ComponentChildren;
}

export function Notice({ kind, title, banner = false, urgent = false, children }: NoticeProps) {
  return (
    <div class={`notice ${kind}${banner ? ' banner' : ''}`} role={urgent ? 'alert' : undefined}>
      {title !== undefined && <p class="notice-title">{title}</p>}
      {children}
    </div>
  );
}

export function ProblemNotice({ problem, retry }: { readonly problem: ApiProblem; readonly retry?: () => void }) {
  const { code, requestId } = problem;
  const { title, detail } = problemWords(problem);
  if (code === 'interrupted') return <NotYet>{title}</NotYet>;
  if (code === 'invalid_request') return <Refused problem={problem} />;
  return (
    <Notice kind="bad" title={title} urgent>
      {detail !== undefined && detail !== title && <p>{detail}</p>}
      <RequestId id={requestId} />
      {retry && !isLasting(code) && <Button onClick={retry}>Try again</Button>}
    </Notice>
  );
}

/** Shown in place of an action that needed a sign-in first. It takes the focus, because the page is new. */
export function NotYet({ children }: { readonly children: ComponentChildren }) {
  const words = useRef<HTMLParagraphElement>(null);
  useEffect(() => words.current?.focus(), []);
  return (
    <div class="notice warning not-yet">
      <p ref={words} class="notice-title" tabIndex={-1}>
        {children}
      </p>
    </div>
  );
}

function isLasting(code: ApiProblem['code']): boolean {
  return code === 'role_too_low' || code === 'own_members_only' || code.endsWith('_not_found');
}

/** Uses other words than the API's, which are for developers. The same request would be refused again. */
function Refused({ problem: { errors = [], requestId } }: { readonly problem: ApiProblem }) {
  return (
    <Notice kind="bad" title="This was not accepted" urgent>
      {errors.length === 0 ? (
        <p>Check what you entered, or reload the page.</p>
      ) : (
        <ul>
          {errors.map((error) => (
            <li key={error.pointer}>{errorWords(error)}</li>
          ))}
        </ul>
      )}
      <RequestId id={requestId} />
    </Notice>
  );
}

function RequestId({ id }: { readonly id: string | undefined }) {
  if (id === undefined) return null;
  return (
    <p class="quiet">
      Request <code>{id}</code>
    </p>
  );
}

interface Message {
  readonly text: string;
  readonly count: number;
}

let show: (text: string) => void = () => undefined;

/** Says what just happened, in a corner of the screen and to screen readers. */
export function announce(text: string): void {
  show(text);
}

/** Mount it once. */
export function Announcements() {
  const [message, setMessage] = useState<Message>();
  useEffect(() => {
    show = (text) => setMessage((last) => ({ text, count: (last?.count ?? 0) + 1 }));
  }, []);
  useEffect(() => {
    if (!message) return undefined;
    const timer = setTimeout(() => setMessage(undefined), 6000);
    return () => clearTimeout(timer);
  }, [message]);
  return (
    <div class="announcements" role="status">
      {message && (
        <p key={message.count} class="announcement">
          {message.text}
        </p>
      )}
    </div>
  );
}
