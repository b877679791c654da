import { useRoute } from 'preact-iso/router';
import type { CheckedEvidence } from '../../../functions/contract/sessions/dashboard-sessions.ts';
import { formatDollars } from '../format.ts';
import { Button } from '../parts/button.tsx';
import { Facts, Time } from '../parts/facts.tsx';
import { Notice } from '../parts/notice.tsx';
import { Screen, Loaded } from '../parts/screen.tsx';
import { languageNames } from '../patient-words.ts';
import { fullName } from '../session-words.ts';
import { usePractice } from '../practice.ts';
import { useAnswer } from '../use-answer.ts';

/** A page to print for a bank that asks whether the patient authorized the debit. */
export function ProofOfAuthorization() {
  const { practiceId } = usePractice();
  const { sessionId = '' } = useRoute().params;
  const answer = useAnswer('getEvidence', { params: { practiceId, sessionId } });
  return (
    <Screen
      title="Proof of authorization"
      back={{ href: `/${practiceId}/sessions/${sessionId}`, label: 'Payment' }}
      actions={
        answer.value && (
          <Button kind="primary" onClick={() => print()}>
            Print
          </Button>
        )
      }
    >
      <Loaded of={answer}>{(evidence) => <Proof evidence={evidence} />}</Loaded>
    </Screen>
  );
}

function Proof({ evidence }: { readonly evidence: CheckedEvidence }) {
  const { patient, payee, bankAccount, authorizationId, locale, simulated, references } = evidence;
  const paidTo = [payee.name, payee.supportPhone, payee.supportEmail].filter((part) => part !== undefined);
  return (
    <article class="panel proof">
      <Verdict {...evidence} />
      <section>
        <h2>Who</h2>
        <Facts
          facts={[
            ['Patient', fullName(patient)],
            ['Name on the account', evidence.payerName],
            ['Account', `${bankAccount.bankName}, ${bankAccount.accountType}, ends in ${bankAccount.last4}`],
            ['Paid to', paidTo.join(', ')],
          ]}
        />
      </section>
      <section>
        <h2>What</h2>
        <Facts
          facts={[
            ['Amount', `${formatDollars(evidence.amountCents)}, one debit`],
            ['Invoice', evidence.invoiceId],
          ]}
        />
        <blockquote lang={locale} translate={false}>
          {evidence.text}
        </blockquote>
        <p class="quiet">
          Accepted in {languageNames[locale]}, wording {evidence.templateVersion}
        </p>
      </section>
      <section>
        <h2>When and from where</h2>
        <Facts
          facts={[
            ['Authorized', <Time at={evidence.authorizedAt} as="exact" />],
            ['In UTC', <code>{evidence.authorizedAt}</code>],
            ['IP address', evidence.viewerAddress ?? evidence.sourceAddress],
            ['Connected from', evidence.viewerAddress === undefined ? undefined : evidence.sourceAddress],
            [simulated ? 'Program' : 'Browser', evidence.userAgent],
            ['How', simulated ? 'Simulated' : 'Online: bank sign-in, then a button below the text above'],
          ]}
        />
      </section>
      <section>
        <h2>References</h2>
        <Facts
          facts={[
            ['Mandate', references.mandate && <code>{references.mandate}</code>],
            ['Payment', references.payment && <code>{references.payment}</code>],
            ['Routing number', references.routingNumberLast4 && `ends in ${references.routingNumberLast4}`],
            ['Hash of the text', <code>{authorizationId}</code>],
            ['Session', <code>{evidence.sessionId}</code>],
            ['Processor account', <code>{evidence.processorAccount}</code>],
            ['Practice', <code>{evidence.practiceId}</code>],
          ]}
        />
      </section>
    </article>
  );
}

function Verdict({ textMatchesAuthorizationId, simulated }: CheckedEvidence) {
  if (!textMatchesAuthorizationId)
    return (
      <Notice kind="bad" title="The text does not match its hash" urgent>
        <p>Do not send this to a bank. Tell whoever runs this service.</p>
      </Notice>
    );
  if (simulated)
    return (
      <Notice kind="info" title="Simulated: no patient accepted this text">
        <p>The practice's software made this up as a test.</p>
      </Notice>
    );
  return (
    <Notice kind="good" title="The text is the one that was accepted">
      <p>Its SHA-256 hash is the ID that the browser sent with the consent.</p>
    </Notice>
  );
}
