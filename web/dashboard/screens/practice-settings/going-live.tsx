import type { Deposit } from '../../../../functions/contract/practices/dashboard-going-live.ts';
import { call, type Response } from '../../api.ts';
import { Button } from '../../parts/button.tsx';
import { CopyField } from '../../parts/copy.tsx';
import { Time, TechnicalDetails } from '../../parts/facts.tsx';
import { Notice, ProblemNotice, announce } from '../../parts/notice.tsx';
import { Panel, Loaded } from '../../parts/screen.tsx';
import { allows, isOwnAdmin, usePractice, useSettings } from '../../practice.ts';
import { terms } from '../../terms.ts';
import { forgetUnsaved, mayLeave } from '../../unsaved.ts';
import { useAnswer, useAction } from '../../use-answer.ts';
import { useQuery } from '../../use-query.ts';

const needWords: Readonly<Record<Deposit['needs'][number], string>> = {
  bank_account: 'The bank account that receives the money',
  business: 'Facts about the practice: its legal name, address, phone number and kind of business',
  website: 'The practice’s website, or a description of what it does',
  tax_id: 'A tax ID: the practice’s EIN, or the number of a person',
  representative: 'The person who represents the practice: name, address, date of birth',
  owners: 'Who owns or directs the practice',
  document: 'A document, such as a photo of an ID',
  agreement: 'Your consent to Stripe’s own terms',
  other: 'Something more, which Stripe’s page shows',
};

export function Deposits() {
  const { role } = usePractice();
  const { settings } = useSettings();
  if (allows(role, 'admin')) return <OwnDeposits />;
  return (
    <Panel title="Deposits">
      <p>
        {settings.depositReadyAt === undefined
          ? 'Deposits are not set up yet. An admin does this.'
          : 'Payments are deposited to the practice’s bank account. Only admins see and change it.'}
      </p>
    </Panel>
  );
}

function OwnDeposits() {
  const { practiceId } = usePractice();
  const answer = useAnswer('getDeposit', { params: { practiceId } });
  return (
    <Panel title="Deposits">
      <Loaded of={answer}>{(deposit) => <State {...deposit} />}</Loaded>
    </Panel>
  );
}

function Needs({ needs }: Pick<Deposit, 'needs'>) {
  return (
    <ul>
      {needs.map((need) => (
        <li key={need}>{needWords[need]}</li>
      ))}
    </ul>
  );
}

function State(deposit: Deposit) {
  const { accountId } = deposit;
  return (
    <>
      <Progress {...deposit} />
      {accountId !== undefined && (
        <TechnicalDetails>
          <CopyField label="Account at Stripe" text={accountId} />
        </TechnicalDetails>
      )}
    </>
  );
}

function Progress({ status, bankAccount, needs, deadline }: Deposit) {
  const expired = useQuery().query.get('deposit') === 'expired';
  switch (status) {
    case 'none':
      return (
        <>
          <p>
            Stripe moves the money and deposits it to your bank account. On Stripe’s page you say who the practice is
            and name the account. Every admin gets an email.
          </p>
          <Onboard action="Set up deposits" kind="primary" />
        </>
      );
    case 'incomplete':
      return (
        <>
          <Notice kind="warning" title="Stripe needs more before it deposits money">
            {expired && <p>Stripe’s page had expired. Continue on a new one.</p>}
            <Needs needs={needs} />
          </Notice>
          <Onboard action="Continue at Stripe" kind="primary" />
        </>
      );
    case 'in_review':
      return (
        <Notice kind="info" title="Stripe is checking what you entered">
          <p>This takes minutes to a few days. Come back to see the result.</p>
        </Notice>
      );
    case 'ready':
      return (
        <>
          <Notice kind="good" title="Deposits are set up">
            <p>
              {bankAccount
                ? `To ${bankAccount.bankName}, ending in ${bankAccount.last4}.`
                : 'Stripe does not say to which of its accounts. Check it at Stripe.'}
            </p>
          </Notice>
          {deadline === undefined ? (
            <Onboard action="Change at Stripe" kind="secondary" />
          ) : (
            <>
              <Notice kind="warning" title="Stripe needs more, or it stops your payments">
                <p>
                  By <Time at={deadline} />:
                </p>
                <Needs needs={needs} />
              </Notice>
              <Onboard action="Continue at Stripe" kind="primary" />
            </>
          )}
        </>
      );
    case 'rejected':
      return (
        <Notice kind="bad" title="Stripe does not accept the practice">
          <p>
            It takes no payments for this account, and nothing can be added. Ask whoever operates the payment service,
            who can ask Stripe why.
          </p>
        </Notice>
      );
  }
}

/** Leaves the dashboard. Stripe's page leads back. */
function Onboard({ action, kind }: { readonly action: string; readonly kind: 'primary' | 'secondary' }) {
  const practice = usePractice();
  const { practiceId } = practice;
  const { busy, problem, run } = useAction('startDepositOnboarding', action);
  const start = () => call('startDepositOnboarding', { params: { practiceId } });
  function leave({ url }: Response<'startDepositOnboarding'>) {
    forgetUnsaved();
    location.assign(url);
    // The button is busy until the browser has left.
    return new Promise(() => undefined);
  }
  if (!isOwnAdmin(practice)) return <p class="quiet">An admin of the practice does this.</p>;
  return (
    <>
      {problem && <ProblemNotice problem={problem} />}
      <div class="actions">
        <Button kind={kind} busy={busy} onClick={() => mayLeave() && void run(start, leave)}>
          {action}
        </Button>
      </div>
    </>
  );
}

export function Terms() {
  const practice = usePractice();
  const { settings } = useSettings();
  const accepted = settings.termsAccepted;
  const isCurrent = accepted?.version === terms.version;
  return (
    <Panel title="Terms" note={`Version ${terms.version}, between the practice and whoever runs this service.`}>
      <details open={!isCurrent}>
        <summary>What you agree to</summary>
        <ul>
          {terms.points.map((point) => (
            <li key={point}>{point}</li>
          ))}
        </ul>
      </details>
      {accepted && (
        <Notice
          kind={isCurrent ? 'good' : 'warning'}
          title={isCurrent ? 'Accepted' : `Version ${accepted.version} was accepted, but not this one`}
        >
          <p>
            By {accepted.by}, <Time at={accepted.at} />.
          </p>
        </Notice>
      )}
      {!isCurrent &&
        (isOwnAdmin(practice) ? <Accept /> : <p class="quiet">An admin of the practice has to accept them.</p>)}
    </Panel>
  );
}

function Accept() {
  const { practiceId, name } = usePractice();
  const { reloadSettings } = useSettings();
  const { busy, problem, run } = useAction('acceptTerms', 'Accept the terms');
  const accept = () => call('acceptTerms', { params: { practiceId }, body: { version: terms.version } });
  async function accepted() {
    await reloadSettings();
    announce('The terms are accepted.');
  }
  return (
    <>
      {problem && <ProblemNotice problem={problem} />}
      <p>Accept only if you may sign for {name}. Your name and the time are recorded.</p>
      <div class="actions">
        <Button kind="primary" busy={busy} onClick={() => void run(accept, accepted)}>
          Accept the terms
        </Button>
      </div>
    </>
  );
}
