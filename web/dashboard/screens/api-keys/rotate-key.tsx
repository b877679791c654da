import type { KeySummary } from '../../../../functions/contract/practices/dashboard-keys.ts';
import { call } from '../../api.ts';
import { RadiosField } from '../../parts/choices.tsx';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { usePractice } from '../../practice.ts';
import { useForm } from '../../use-form.ts';
import type { IssuedKey } from './issued.tsx';

interface RotateKeyProps {
  readonly of: KeySummary;
  readonly close: () => void;
  readonly rotated: (key: IssuedKey) => Promise<void>;
}

const rotationEnds = [
  { value: '24h', label: 'In 24 hours' },
  { value: '7d', label: 'In 7 days' },
  { value: '1h', label: 'In an hour' },
  {
    value: 'now',
    label: 'Now',
    hint: 'If the key has leaked. Programs that use it stop working until they have the new one.',
  },
] as const;

export function RotateKey({ of: { keyId, name }, close, rotated }: RotateKeyProps) {
  const { practiceId } = usePractice();
  const form = useForm({
    name: `rotate-${keyId}`,
    initial: { end: '24h' },
    send: ({ end }) =>
      call('rotateKey', {
        params: { practiceId, keyId },
        body: { end: rotationEnds.find(({ value }) => value === end)?.value ?? '24h' },
      }),
    sent: (issued) => void rotated({ keyId: issued.keyId, name, apiKey: issued.apiKey }),
  });
  return (
    <FormDialog
      title={`Rotate “${name}”`}
      lead="You get a new key with the same name and permissions. Both keys work until the old one ends."
      form={form}
      action="Rotate key"
      close={close}
    >
      <RadiosField field={form.field('end')} label="The old key ends" options={rotationEnds} />
    </FormDialog>
  );
}
