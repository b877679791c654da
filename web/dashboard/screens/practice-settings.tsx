import { useState } from 'preact/hooks';
import { timeZoneName } from '../days.ts';
import { formatCount } from '../format.ts';
import { Facts } from '../parts/facts.tsx';
import { Panel, Screen } from '../parts/screen.tsx';
import { allows, usePractice, useSettings } from '../practice.ts';
import { Deposits, Terms } from './practice-settings/going-live.tsx';
import { PlatformAccess } from './practice-settings/platform.tsx';
import { PagePreview } from './practice-settings/page-preview.tsx';
import { SettingsForm } from './practice-settings/settings-form.tsx';
import { lifetimesOf, valuesOf, type SettingsValues } from '../settings-form.ts';

export function PracticeSettings() {
  const { role, mode } = usePractice();
  const { settings } = useSettings();
  const [typed, setTyped] = useState<SettingsValues>(() => valuesOf(settings));
  const isAdmin = allows(role, 'admin');
  return (
    <Screen title="Practice" lead="What patients see, and how payment links behave.">
      <div class="columns with-preview">
        <div>
          {isAdmin ? <SettingsForm typed={setTyped} /> : <SettingsFacts />}
          <PlatformAccess />
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
  const { settings } = useSettings();
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
          ['Time zone', timeZoneName(settings.timeZone)],
        ]}
      />
    </Panel>
  );
}
