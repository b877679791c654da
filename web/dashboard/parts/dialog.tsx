import type { ComponentChildren } from 'preact';
import { useEffect, useId, useLayoutEffect, useRef } from 'preact/hooks';
import type { Answer, RouteName } from '../api.ts';
import { useAction } from '../use-answer.ts';
import { Button } from './button.tsx';
import { NotYet, ProblemNotice, Notice, announce } from './notice.tsx';
import type { Form } from '../use-form.ts';
import { mayLeave } from '../unsaved.ts';

interface DialogProps {
  readonly title: string;
  /** While busy, the dialog stays: closing it could lose the answer, such as a new key. */
  readonly busy?: boolean;
  readonly close: () => void;
  readonly children: ComponentChildren;
}

/** Open while rendered. The browser keeps the focus inside, and restores it afterward. */
export function Dialog({ title, busy = false, close, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useLayoutEffect(() => {
    const { current } = dialog;
    const opener = document.activeElement;
    current?.showModal();
    return () => {
      // While the dialog is open, nothing behind it takes the focus.
      current?.close();
      if (opener instanceof HTMLElement) opener.focus();
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        if (!busy) close();
      }}
      // Chrome closes a dialog at the second Escape, whatever the first was answered.
      onClose={({ currentTarget }) => currentTarget.isConnected && currentTarget.showModal()}
    >
      <h2 id={id}>{title}</h2>
      {children}
    </dialog>
  );
}

/** Like Escape, it waits for the answer while the dialog is busy. */
function GoBack({ busy, close }: { readonly busy: boolean; readonly close: () => void }) {
  return (
    <Button aria-disabled={busy} onClick={busy ? undefined : close}>
      Go back
    </Button>
  );
}

/** How a dialog ends: given up, or with what its screen wants to know. */
export interface DialogEnds<Result = void> {
  readonly close: () => void;
  readonly done: (result: Result) => unknown;
}

export interface DialogAbout<Subject, Result = void> extends DialogEnds<Result> {
  readonly of: Subject;
}

interface ConfirmDialogProps<Value> extends DialogEnds<Value> {
  readonly title: string;
  /** What the button does: "Cancel payment". */
  readonly action: string;
  readonly danger?: boolean;
  /** The route that `act` calls. */
  readonly route: RouteName;
  readonly act: () => Promise<Answer<Value>>;
  readonly said?: string | ((value: Value) => string);
  readonly children: ComponentChildren;
}

/** Says what will happen and asks once. Closes when it is done, and stays open if it fails. */
export function ConfirmDialog<Value>(props: ConfirmDialogProps<Value>) {
  const { title, action, danger = false, route, act, said, done, close, children } = props;
  const { busy, problem, run } = useAction(route, action);
  function end(value: Value) {
    close();
    if (said !== undefined) announce(typeof said === 'string' ? said : said(value));
    return done(value);
  }
  return (
    <Dialog title={title} busy={busy} close={close}>
      {children}
      {problem && <ProblemNotice problem={problem} />}
      <div class="actions">
        <Button kind={danger ? 'danger' : 'primary'} busy={busy} onClick={() => void run(act, end)}>
          {action}
        </Button>
        <GoBack busy={busy} close={close} />
      </div>
    </Dialog>
  );
}

interface FormDialogProps<Values> {
  readonly title: string;
  /** What the form does, if its fields do not say it. */
  readonly lead?: string;
  readonly form: Form<Values>;
  readonly action: string;
  readonly close: () => void;
  readonly children: ComponentChildren;
}

export function FormDialog<Values>({ title, lead, form, action, close, children }: FormDialogProps<Values>) {
  const leave = () => mayLeave() && close();
  return (
    <Dialog title={title} busy={form.busy} close={leave}>
      {lead !== undefined && <p>{lead}</p>}
      <FormFrame form={form}>
        {children}
        {form.interrupted && <NotYet>Not saved yet. Press “{action}”.</NotYet>}
        <div class="actions">
          <Button kind="primary" type="submit" busy={form.busy}>
            {action}
          </Button>
          <GoBack busy={form.busy} close={leave} />
        </div>
      </FormFrame>
    </Dialog>
  );
}

interface FormFrameProps<Values> {
  readonly form: Form<Values>;
  readonly children: ComponentChildren;
}

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
