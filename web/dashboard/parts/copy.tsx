import { useState } from 'preact/hooks';
import { Button } from './button.tsx';
import { Notice, announce } from './notice.tsx';

interface CopyButtonProps {
  readonly text: string;
  /** What is copied, for a screen reader: "Copy the link". */
  readonly label: string;
  readonly words?: string | undefined;
  readonly kind?: 'primary' | 'secondary' | 'plain';
}

export function CopyButton({ text, label, words = 'Copy', kind = 'secondary' }: CopyButtonProps) {
  const [copied, setCopied] = useState(false);
  async function copy() {
    try {
      await navigator.clipboard.writeText(text);
      setCopied(true);
      announce('Copied.');
      setTimeout(() => setCopied(false), 2000);
    } catch {
      announce('The browser did not allow copying. Select the text and copy it yourself.');
    }
  }
  return (
    <Button kind={kind} aria-label={label} onClick={() => void copy()}>
      {copied ? 'Copied' : words}
    </Button>
  );
}

interface CopyFieldProps {
  readonly label: string;
  readonly text: string;
  /** What the button shows, if copying is the screen's main action: "Copy link". */
  readonly action?: string;
}

export function CopyField({ label, text, action }: CopyFieldProps) {
  return (
    <div class="copy-field">
      <p class="label">{label}</p>
      <div class="input-row">
        <code class="copy-text">{text}</code>
        <CopyButton
          text={text}
          label={action ?? `Copy: ${label}`}
          words={action}
          kind={action === undefined ? 'secondary' : 'primary'}
        />
      </div>
    </div>
  );
}

/** A secret that the API gives only once. */
export function SecretOnce({ label, text }: CopyFieldProps) {
  return (
    <Notice kind="warning" title="Copy it now. It will not be shown again.">
      <CopyField label={label} text={text} />
    </Notice>
  );
}
