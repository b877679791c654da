import { call } from '../../api.ts';
import { Button } from '../../parts/button.tsx';
import { ConfirmDialog } from '../../parts/dialog.tsx';
import { Time } from '../../parts/facts.tsx';
import { Panel } from '../../parts/screen.tsx';
import { isOwnAdmin, ownAdmins, usePractice, useSettings } from '../../practice.ts';
import { mayLeave } from '../../unsaved.ts';
import { useQuery } from '../../use-query.ts';

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
            At once, its software and its staff see nothing of this practice and can make no more payment links for you.
            Links it has made still work, and you keep all payments. Your admins and theirs get an email.
          </p>
          <p>Only whoever operates the payment service can give it access again.</p>
        </ConfirmDialog>
      )}
    </Panel>
  );
}
