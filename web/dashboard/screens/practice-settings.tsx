import { useState } from 'preact/hooks';
import { call } from '../api.ts';
import { formatCount } from '../format.ts';
import { announce } from '../parts/announce.tsx';
import { Button } from '../parts/button.tsx';
import { ConfirmDialog } from '../parts/dialog.tsx';
import { Facts } from '../parts/facts.tsx';
import { describedBy, Hints } from '../parts/field.tsx';
import { Panel, Screen } from '../parts/screen.tsx';
import { allows, usePractice } from '../practice.ts';
import { Deposits, Terms } from './practice-settings/going-live.tsx';
import { PagePreview } from './practice-settings/page-preview.tsx';
import { SettingsForm } from './practice-settings/settings-form.tsx';
import { lifetimesOf, valuesOf, type SettingsValues, checkLogo, logoTypes, toBase64 } from '../settings-form.ts';

export function PracticeSettings() {
  const { role, settings, mode } = usePractice();
  const [typed, setTyped] = useState<SettingsValues>(() => valuesOf(settings));
  const isAdmin = allows(role, 'admin');
  return (
    <Screen title="Practice" lead="What patients see, and how payment links behave.">
      <div class="columns with-preview">
        <div>
          {isAdmin ? (
            <>
              <SettingsForm typed={setTyped} />
              <Logo />
            </>
          ) : (
            <SettingsFacts />
          )}
          {mode === 'sandbox' ? (
            <Panel title="Deposits">
              <p>No money moves in the sandbox. Your bank account is set up together with live payments.</p>
            </Panel>
          ) : (
            <>
              <Deposits />
              <Terms />
            </>
          )}
        </div>
        <PagePreview
          practice={{
            ...typed,
            logoUrl: settings.logoUrl,
            ...lifetimesOf(typed, settings),
            sandbox: mode === 'sandbox',
          }}
        />
      </div>
    </Screen>
  );
}

/** The settings, for members who may not change them. */
function SettingsFacts() {
  const { settings } = usePractice();
  return (
    <Panel title="Settings" note="Only admins change them.">
      <Facts
        facts={[
          ['Name', settings.name],
          ['Color', <code>{settings.primaryColor}</code>],
          ['Phone for patients', settings.supportPhone ?? 'None'],
          ['Email for patients', settings.supportEmail ?? 'None'],
          ['Postal address', <span class="lines">{settings.postalAddress ?? 'None'}</span>],
          ['Privacy policy', settings.privacyUrl ?? 'Default page'],
          ['Terms for patients', settings.termsUrl ?? 'Default page'],
          ['A link works for', formatCount(settings.linkLifetimeDays, 'day')],
          ['Time to pay', `${(settings.sessionLifetimeSeconds / 60).toLocaleString('en-US')} minutes`],
          ['Patients can ask for more time', settings.extensions ? 'Yes' : 'No'],
          ['One invoice is paid at most once', settings.invoiceGuard ? 'Yes' : 'No'],
          ['Patients’ details are removed after', formatCount(settings.retentionMonths, 'month')],
          ['Time zone', settings.timeZone.replaceAll('_', ' ')],
        ]}
      />
    </Panel>
  );
}

const hint =
  'A PNG, JPEG or WebP picture of at most 100 kB and 2000 pixels per side. It is used as soon as you choose it.';

function Logo() {
  const { practiceId, name, settings, reloadSettings } = usePractice();
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string>();
  const [removing, setRemoving] = useState(false);
  const described = { field: { id: 'logo', error }, hint };
  const change = (logo: string | null) => call('changeLogo', { params: { practiceId }, body: { logo } });

  /** Returns why the file was refused. */
  async function send(file: File): Promise<string | undefined> {
    const wrong = await checkLogo(file);
    if (wrong !== undefined) return wrong;
    const answer = await change(toBase64(new Uint8Array(await file.arrayBuffer())));
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
    <Panel title="Logo">
      {settings.logoUrl !== undefined && (
        <p class="logo">
          <img src={settings.logoUrl} alt={`Logo of ${name}`} />
        </p>
      )}
      <div class={error === undefined ? 'field' : 'field with-error'}>
        <label class="label" for="logo">
          {settings.logoUrl === undefined ? 'Choose a picture' : 'Choose another picture'}
        </label>
        <Hints {...described} />
        <input
          id="logo"
          type="file"
          accept={logoTypes.join(',')}
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
          close={() => setRemoving(false)}
          act={() => change(null)}
          said="The logo was removed."
          done={reloadSettings}
        >
          <p>Patients see the first letter of the practice’s name instead.</p>
        </ConfirmDialog>
      )}
    </Panel>
  );
}
