import { useState } from 'preact/hooks';
import type { EndpointSummary } from '../../../../functions/contract/webhooks/dashboard-endpoints.ts';
import { call, isAboutSignIn, type ApiProblem } from '../../api.ts';
import { announce } from '../../parts/announce.tsx';
import { Button } from '../../parts/button.tsx';
import { RadiosField } from '../../parts/choices.tsx';
import { CopyField } from '../../parts/copy.tsx';
import { FormDialog } from '../../parts/dialog.tsx';
import { ProblemNotice } from '../../parts/notice.tsx';
import { Panel } from '../../parts/screen.tsx';
import { Time } from '../../parts/facts.tsx';
import { usePractice } from '../../practice.ts';
import { useForm } from '../../use-form.ts';
import { useQuery } from '../../use-query.ts';

interface SigningSecretProps {
  readonly endpoint: EndpointSummary;
  readonly reload: () => Promise<void>;
}

export function SigningSecret({ endpoint: { endpointId, previousSecretExpiresAt }, reload }: SigningSecretProps) {
  const { practiceId } = usePractice();
  const { query, setQuery, replaceQuery } = useQuery();
  const close = () => replaceQuery({ dialog: undefined });
  const [secret, setSecret] = useState<string>();
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<ApiProblem>();

  async function reveal() {
    setBusy(true);
    const answer = await call('revealSigningSecret', { params: { practiceId, endpointId } });
    setBusy(false);
    if (answer.ok) setSecret(answer.value.signingSecret);
    setProblem(answer.ok || isAboutSignIn(answer.problem.code) ? undefined : answer.problem);
  }

  return (
    <Panel
      title="Signing secret"
      note="Your software uses it to verify that a request comes from this service. Revealing it adds a line to the audit log, and every admin gets an email."
      actions={
        <>
          {secret === undefined ? (
            <Button busy={busy} onClick={() => void reveal()}>
              Reveal
            </Button>
          ) : (
            <Button onClick={() => setSecret(undefined)}>Hide</Button>
          )}
          <Button onClick={() => setQuery({ dialog: 'rotate' })}>Rotate</Button>
        </>
      }
    >
      {problem && <ProblemNotice problem={problem} />}
      {secret !== undefined && <CopyField label="Signing secret" text={secret} />}
      {previousSecretExpiresAt !== undefined && Date.parse(previousSecretExpiresAt) > Date.now() && (
        <p>
          Requests are also signed with the previous secret until{' '}
          <Time at={previousSecretExpiresAt} as="time with zone" />.
        </p>
      )}
      {query.get('dialog') === 'rotate' && (
        <RotateSecret
          endpointId={endpointId}
          close={close}
          rotated={async (signingSecret) => {
            close();
            setSecret(signingSecret);
            announce('The endpoint has a new signing secret.');
            await reload();
          }}
        />
      )}
    </Panel>
  );
}

interface RotateSecretProps {
  readonly endpointId: string;
  readonly close: () => void;
  readonly rotated: (signingSecret: string) => Promise<void>;
}

function RotateSecret({ endpointId, close, rotated }: RotateSecretProps) {
  const { practiceId } = usePractice();
  const form = useForm({
    name: 'rotate-secret',
    initial: { keepOldHours: '24' },
    send: ({ keepOldHours }) =>
      call('rotateSigningSecret', {
        params: { practiceId, endpointId },
        body: { keepOldHours: Number(keepOldHours) },
      }),
    sent: ({ signingSecret }) => void rotated(signingSecret),
  });
  return (
    <FormDialog
      title="Rotate the signing secret"
      lead="Until the old secret ends, each request carries both signatures, and either one is enough."
      form={form}
      action="Rotate secret"
      close={close}
    >
      <RadiosField
        field={form.field('keepOldHours')}
        label="The old secret keeps signing"
        options={[
          { value: '24', label: 'For 24 hours' },
          { value: '168', label: 'For 7 days' },
          {
            value: '0',
            label: 'Not at all',
            hint: 'If it has leaked. Requests are refused until your software has the new one.',
          },
        ]}
      />
    </FormDialog>
  );
}
