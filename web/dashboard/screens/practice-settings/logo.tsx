import { useState } from 'preact/hooks';
import { call, wasInterrupted } from '../../api.ts';
import { logoOf } from '../../logo-picture.ts';
import { announce } from '../../parts/notice.tsx';
import { Button } from '../../parts/button.tsx';
import { ConfirmDialog } from '../../parts/dialog.tsx';
import { describedBy, Hints } from '../../parts/field.tsx';
import { usePractice, useSettings } from '../../practice.ts';

const hint = 'A PNG, JPEG or WebP picture of any size. Patients see it as soon as you choose it.';
const noPicture = 'This file is not a picture that works here. Choose a PNG, JPEG or WebP picture.';

export function Logo() {
  const { practiceId, name } = usePractice();
  const { settings, reloadSettings } = useSettings();
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState(() =>
    wasInterrupted('changeLogo') ? 'The logo was not changed yet.' : undefined,
  );
  const [removing, setRemoving] = useState(false);
  const described = { field: { id: 'logo', error }, hint };
  const change = (logo: string | null) => call('changeLogo', { params: { practiceId }, body: { logo } });

  async function send(file: File): Promise<string | undefined> {
    const logo = await logoOf(file);
    if (logo === undefined) return noPicture;
    const answer = await change(logo);
    return answer.ok ? undefined : (answer.problem.detail ?? answer.problem.title);
  }

  async function upload(file: File) {
    setError(undefined);
    setBusy(true);
    const refusal = await send(file);
    setBusy(false);
    if (refusal !== undefined) return setError(refusal);
    announce('Patients see the new logo.');
    await reloadSettings();
  }

  return (
    <div class="logo-field">
      <div class={error === undefined ? 'field' : 'field with-error'}>
        <label class="label" for="logo">
          {settings.logoUrl === undefined ? 'Choose a logo' : 'Choose another logo'}
        </label>
        <Hints {...described} />
        {settings.logoUrl !== undefined && (
          <p class="logo">
            <img src={settings.logoUrl} alt={`Logo of ${name}`} />
          </p>
        )}
        <input
          id="logo"
          type="file"
          accept="image/*"
          disabled={busy}
          aria-describedby={describedBy(described)}
          aria-invalid={error !== undefined}
          onChange={(event) => {
            const file = event.currentTarget.files?.[0];
            if (file) void upload(file);
            // Cleared so that the same file can be chosen again.
            event.currentTarget.value = '';
          }}
        />
      </div>
      {busy && <p role="status">Uploading…</p>}
      {settings.logoUrl !== undefined && (
        <div class="actions">
          <Button onClick={() => setRemoving(true)}>Remove logo</Button>
        </div>
      )}
      {removing && (
        <ConfirmDialog
          title="Remove the logo?"
          action="Remove logo"
          danger
          route="changeLogo"
          close={() => setRemoving(false)}
          act={() => change(null)}
          said="The logo was removed."
          done={reloadSettings}
        >
          <p>Patients see the first letter of the practice’s name instead.</p>
        </ConfirmDialog>
      )}
    </div>
  );
}
