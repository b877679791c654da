import { useState } from 'preact/hooks';
import { Panel, Screen } from '../parts/screen.tsx';
import { allows, usePractice } from '../practice.ts';
import { lifetimesOf, valuesOf, type SettingsValues } from '../settings-form.ts';
import { Deposits } from './practice-settings/deposits.tsx';
import { Logo } from './practice-settings/logo.tsx';
import { PagePreview } from './practice-settings/page-preview.tsx';
import { SettingsFacts } from './practice-settings/settings-facts.tsx';
import { SettingsForm } from './practice-settings/settings-form.tsx';
import { Terms } from './practice-settings/terms.tsx';

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
