import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { Form } from '../use-form.ts';
import { Button } from './button.tsx';
import { Dialog, GoBack } from './dialog.tsx';
import { Notice, ProblemNotice } from './notice.tsx';

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

interface FormFrameProps<Values> {
  readonly form: Form<Values>;
  readonly children: ComponentChildren;
}

/** A form with its error summary, which takes the focus. */
export function FormFrame<Values>({ form, children }: FormFrameProps<Values>) {
  const summary = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (form.submissions > 0) summary.current?.focus();
  }, [form.submissions]);
  return (
    <form name={form.name} onSubmit={form.submit} noValidate>
      <div ref={summary} tabIndex={-1}>
        {form.problem && <ProblemNotice problem={form.problem} />}
        {form.summary.length > 0 && (
          <Notice kind="bad" title="Fix this and try again" urgent>
            <ul>
              {form.summary.map(({ id, words }) => (
                <li key={id ?? words}>{id === undefined ? words : <a href={`#${id}`}>{words}</a>}</li>
              ))}
            </ul>
          </Notice>
        )}
      </div>
      {children}
    </form>
  );
}
