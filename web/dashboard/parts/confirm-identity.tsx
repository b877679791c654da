import { leavingToSignIn, signInUrl } from '../api.ts';
import { Button, ButtonLink } from './button.tsx';
import { Dialog } from './dialog.tsx';

/** Some changes need a sign-in within the last 5 minutes. */
export function ConfirmIdentity({ close }: { readonly close: () => void }) {
  return (
    <Dialog title="Confirm it is you" close={close}>
      <p>This change needs a fresh sign-in. You will come back to this page, and anything you typed is kept.</p>
      <div class="actions">
        <ButtonLink kind="primary" href={signInUrl({ again: true })} onClick={keepForms}>
          Sign in again
        </ButtonLink>
        <Button onClick={close}>Go back</Button>
      </div>
    </Dialog>
  );
}

function keepForms(): void {
  dispatchEvent(new Event(leavingToSignIn));
}
