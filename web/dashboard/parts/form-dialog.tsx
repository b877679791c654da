import type { ComponentChildren } from 'preact';
import type { Form } from '../use-form.ts';
import { Button } from './button.tsx';
import { Dialog, GoBack } from './dialog.tsx';
import { FormFrame } from './form-frame.tsx';

interface FormDialogProps<Values> {
  readonly title: string;
  /** What the form does, if its fields do not say it. */
  readonly lead?: string;
  readonly form: Form<Values>;
  /** What the button does: "Create key". */
  readonly action: string;
  readonly close: () => void;
  readonly children: ComponentChildren;
}

/** A dialog that asks for something and sends it. */
export function FormDialog<Values>({ title, lead, form, action, close, children }: FormDialogProps<Values>) {
  return (
    <Dialog title={title} busy={form.busy} close={close}>
      {lead !== undefined && <p>{lead}</p>}
      <FormFrame form={form}>
        {children}
        <div class="actions">
          <Button kind="primary" type="submit" busy={form.busy}>
            {action}
          </Button>
          <GoBack busy={form.busy} close={close} />
        </div>
      </FormFrame>
    </Dialog>
  );
}
