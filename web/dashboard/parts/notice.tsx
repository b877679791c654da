import type { ComponentChildren } from 'preact';
import type { ApiProblem } from '../api.ts';
import { Button } from './button.tsx';

interface NoticeProps {
  readonly kind: 'info' | 'good' | 'warning' | 'bad';
  readonly title?: string;
  /** Read out at once by a screen reader. */
  readonly urgent?: boolean;
  readonly children?: ComponentChildren;
}

export function Notice({ kind, title, urgent = false, children }: NoticeProps) {
  return (
    <div class={`notice ${kind}`} role={urgent ? 'alert' : undefined}>
      {title !== undefined && <p class="notice-title">{title}</p>}
      {children}
    </div>
  );
}

interface ProblemNoticeProps {
  readonly problem: ApiProblem;
  readonly retry?: () => void;
}

/** What went wrong in the API's words, with the ID that support needs. */
export function ProblemNotice({ problem: { title, detail, requestId }, retry }: ProblemNoticeProps) {
  return (
    <Notice kind="bad" title={title} urgent>
      {detail !== undefined && detail !== title && <p>{detail}</p>}
      {requestId !== undefined && (
        <p class="quiet">
          Request <code>{requestId}</code>
        </p>
      )}
      {retry && <Button onClick={retry}>Try again</Button>}
    </Notice>
  );
}
