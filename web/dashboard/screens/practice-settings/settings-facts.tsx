import { formatCount } from '../../format.ts';
import { Facts } from '../../parts/facts.tsx';
import { Panel } from '../../parts/screen.tsx';
import { usePractice } from '../../practice.ts';

/** The settings, for members who may not change them. */
export function SettingsFacts() {
  const { settings } = usePractice();
  return (
    <Panel title="Settings" note="Only admins change them.">
      <Facts
        facts={[
          ['Name', settings.name],
          ['Color', <code key="color">{settings.primaryColor}</code>],
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
