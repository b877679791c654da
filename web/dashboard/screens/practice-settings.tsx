import { useState } from 'preact/hooks';
import { timeZoneName } from '../days.ts';
import { formatCount } from '../format.ts';
import { Facts, Time } from '../parts/facts.tsx';
import { Panel, Screen } from '../parts/screen.tsx';
import { allows, usePractice, useSettings, isOwnAdmin, ownAdmins } from '../practice.ts';
import { Deposits, Terms } from './practice-settings/going-live.tsx';
import { PagePreview } from './practice-settings/page-preview.tsx';
import { SettingsForm } from './practice-settings/settings-form.tsx';
import { lifetimesOf, valuesOf, type SettingsValues } from '../settings-form.ts';
import { call } from '../api.ts';
import { Button } from '../parts/button.tsx';
import { ConfirmDialog } from '../parts/dialog.tsx';
import { mayLeave } from '../unsaved.ts';
import { useQuery } from '../use-query.ts';

export function PracticeSettings() {
  const practice = usePractice();
  const { role, mode } = practice;
  const { settings } = useSettings();
  const [typed, setTyped] = useState<SettingsValues>(() => valuesOf(settings));
  const isAdmin = allows(role, 'admin');
  // Steps that are left lead here, so their panels come first. They stay there once done, so that nothing jumps.
  const [first] = useState(() => (isOwnAdmin(practice) && mode === 'live' ? settings.missingForLinks : []));
  return (
    <Screen title="Practice" lead="What patients see, and how payment links behave.">
      <div class="columns with-preview">
        <div>
          {first.includes('terms') && <Terms />}
          {first.includes('deposit') && <Deposits />}
          {isAdmin ? <SettingsForm typed={setTyped} /> : <SettingsFacts />}
          <PlatformAccess />
          {mode === 'sandbox' ? (
            <Panel title="Deposits">
              <p>No money moves in the sandbox. Your bank account is set up together with live payments.</p>
            </Panel>
          ) : (
            <>
              {!first.includes('deposit') && <Deposits />}
              {!first.includes('terms') && <Terms />}
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

/** Which platform may act for the practice, and how to end that. */
export function PlatformAccess() {
  const practice = usePractice();
  const { settings, reloadSettings } = useSettings();
  const { query, setQuery, replaceQuery } = useQuery();
  const { practiceId, name } = practice;
  const { platformName, platformSince } = settings;
  if (platformName === undefined || platformSince === undefined) return null;
  return (
    <Panel title="Platform">
      <p>
        <strong>{platformName}</strong> may act for this practice since <Time at={platformSince} />.
      </p>
      <ul>
        <li>Its software makes payment links, sees your payments and learns of each change.</li>
        <li>
          Its staff use this dashboard for you, each in the role they have there. The audit log shows who, and for whom.
        </li>
        <li>
          It cannot accept terms, set up deposits, change your team, your API keys or your webhooks, or take you to
          another platform.
        </li>
      </ul>
      {isOwnAdmin(practice) ? (
        <div class="actions">
          <Button onClick={() => mayLeave() && setQuery({ dialog: 'end-access' })}>End its access</Button>
        </div>
      ) : (
        <p class="quiet">Only {ownAdmins(practice)} can end this.</p>
      )}
      {isOwnAdmin(practice) && query.get('dialog') === 'end-access' && (
        <ConfirmDialog
          title={`End the access of ${platformName}?`}
          action="End its access"
          danger
          route="endPlatformAccess"
          act={() => call('endPlatformAccess', { params: { practiceId } })}
          said={`${platformName} can no longer act for ${name}.`}
          close={() => replaceQuery({ dialog: undefined })}
          done={reloadSettings}
        >
          <p>
            Its software and its staff immediately lose access to this practice and can make no more payment links for
            you. Links it has made still work, and you keep all payments. Your admins and theirs get an email.
          </p>
          <p>Only whoever operates the payment service can give it access again.</p>
        </ConfirmDialog>
      )}
    </Panel>
  );
}
