import { Button } from './button.tsx';

interface FormActionsProps {
  readonly action: string;
  readonly busy: boolean;
  readonly close: () => void;
}

/** The buttons at the end of a dialog with a form. */
export function FormActions({ action, busy, close }: FormActionsProps) {
  return (
    <div class="actions">
      <Button kind="primary" type="submit" busy={busy}>
        {action}
      </Button>
      <Button onClick={close}>Go back</Button>
    </div>
  );
}
