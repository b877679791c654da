import { useState } from 'preact/hooks';
import { call } from '../../api.ts';
import { Button } from '../../parts/button.tsx';
import { RadiosField } from '../../parts/choices.tsx';
import { CopyField } from '../../parts/copy.tsx';
import { FormDialog, type DialogAbout } from '../../parts/dialog.tsx';
import { ProblemNotice, announce } from '../../parts/notice.tsx';
import { Panel } from '../../parts/screen.tsx';
import { Time } from '../../parts/facts.tsx';
import { usePractice } from '../../practice.ts';
import { useForm } from '../../use-form.ts';
import { useQuery } from '../../use-query.ts';
import type { EndpointProps } from './health.tsx';
import { useAction } from '../../use-answer.ts';

export function SigningSecret({ endpoint: { endpointId, previousSecretExpiresAt }, reload }: EndpointProps) {
  const { practiceId } = usePractice();
  const { query, setQuery, replaceQuery } = useQuery();
  const [secret, setSecret] = useState<string>();
  const { busy, problem, run } = useAction('revealSigningSecret', 'Reveal');
  const reveal = () => call('revealSigningSecret', { params: { practiceId, endpointId } });
  return (
    <Panel
      title="Signing secret"
      note="Your software uses it to verify that a request comes from this service. Revealing it adds a line to the audit log, and every admin gets an email."
      actions={
        <>
          {secret === undefined ? (
            <Button busy={busy} onClick={() => void run(reveal, (revealed) => setSecret(revealed.signingSecret))}>
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
          of={endpointId}
          close={() => replaceQuery({ dialog: undefined })}
          done={(signingSecret) => {
            setSecret(signingSecret);
            return reload();
          }}
        />
      )}
    </Panel>
  );
}

function RotateSecret({ of: endpointId, close, done }: DialogAbout<string, string>) {
  const { practiceId } = usePractice();
  const form = useForm({
    name: 'rotate-secret',
    initial: { keepOldHours: '24' },
    send: ({ keepOldHours }) =>
      call('rotateSigningSecret', {
        params: { practiceId, endpointId },
        body: { keepOldHours: Number(keepOldHours) },
      }),
    sent: ({ signingSecret }) => {
      close();
      announce('The endpoint has a new signing secret.');
      void done(signingSecret);
    },
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
