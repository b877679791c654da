import type { RefObject } from 'preact';
import { texts } from '../language.ts';
import type { SessionPage } from '../page-state.ts';

declare const offersCopy: boolean;

/** Whether this stack sends email. */
export const canMailCopy = offersCopy;

export function CopyAddress({ field, busy }: { field: RefObject<HTMLInputElement | null>; busy: boolean }) {
  return (
    <div>
      <label for="copy-to">{texts.copy.ask}</label>
      <input
        id="copy-to"
        ref={field}
        type="email"
        pattern="[^@\s]+@[^@\s]+\.[^@\s]+"
        maxLength={254}
        autocomplete="email"
        readOnly={busy}
        aria-describedby="copy-hint"
      />
      <p class="hint" id="copy-hint">
        {texts.copy.hint}
      </p>
    </div>
  );
}

/** Always rendered, so that a screen reader announces the change. */
export function CopyState({ copy }: Pick<SessionPage, 'copy'>) {
  return (
    <p role="status" class={copy === 'failed' ? 'notice warning' : 'notice waiting'}>
      {copy && texts.copy[copy]}
    </p>
  );
}
