import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { Form } from '../use-form.ts';
import { Notice, ProblemNotice } from './notice.tsx';

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
