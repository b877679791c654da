import type { ComponentChildren } from 'preact';
import type { Field } from '../use-form.ts';

interface Described {
  readonly field: Pick<Field<unknown>, 'id' | 'error'>;
  readonly hint?: ComponentChildren;
}

export interface FieldProps<FieldValue = string> extends Described {
  readonly field: Field<FieldValue>;
  readonly label: string;
}

export function describedBy({ field: { id, error }, hint }: Described): string | undefined {
  return [hint ? `${id}-hint` : '', error === undefined ? '' : `${id}-error`].filter(Boolean).join(' ') || undefined;
}

function inputOf(props: FieldProps) {
  const { id, value, set, error } = props.field;
  return {
    id,
    value,
    onInput: (event: { readonly currentTarget: { readonly value: string } }) => set(event.currentTarget.value),
    'aria-invalid': error !== undefined,
    'aria-describedby': describedBy(props),
  };
}

interface FrameProps extends Described {
  readonly label: string;
  readonly children: ComponentChildren;
}

function Frame({ field, label, hint, children }: FrameProps) {
  return (
    <div class={field.error === undefined ? 'field' : 'field with-error'}>
      <label class="label" for={field.id}>
        {label}
      </label>
      <Hints field={field} hint={hint} />
      {children}
    </div>
  );
}

export function Hints({ field: { id, error }, hint }: Described) {
  return (
    <>
      {hint && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {error !== undefined && (
        <p class="error" id={`${id}-error`}>
          <span class="hidden">Error: </span>
          {error}
        </p>
      )}
    </>
  );
}

interface TextFieldProps extends FieldProps {
  /** A prefix before the input, such as $. */
  readonly prefix?: string;
  readonly suffix?: string;
  readonly width?: 'short' | 'middle';
  /** Chooses a phone's keyboard. */
  readonly inputMode?: 'decimal' | 'numeric' | 'email' | 'tel' | 'url';
  readonly autoComplete?: string;
  /** Silently cuts what is pasted, so use it only where what is left means the same. */
  readonly maxLength?: number;
  readonly spellcheck?: boolean;
}

export function TextField(props: TextFieldProps) {
  const { prefix, suffix, width = '', inputMode, autoComplete = 'off', maxLength, spellcheck } = props;
  return (
    <Frame {...props}>
      <div class={`input-row ${width}`}>
        {prefix !== undefined && <span aria-hidden="true">{prefix}</span>}
        <input
          type="text"
          {...inputOf(props)}
          inputMode={inputMode}
          autoComplete={autoComplete}
          maxLength={maxLength}
          spellcheck={spellcheck}
        />
        {suffix !== undefined && <span>{suffix}</span>}
      </div>
    </Frame>
  );
}

export function LinesField(props: FieldProps & { readonly rows: number; readonly autoComplete: string }) {
  return (
    <Frame {...props}>
      <textarea {...inputOf(props)} rows={props.rows} autoComplete={props.autoComplete} />
    </Frame>
  );
}

/** The value is like 2026-11-20, or empty. */
export function DayField(props: FieldProps) {
  return (
    <Frame {...props}>
      <input type="date" {...inputOf(props)} />
    </Frame>
  );
}

export interface Option<Choice extends string = string> {
  readonly value: Choice;
  readonly label: string;
  readonly hint?: string;
}

interface SelectFieldProps<Choice extends string> extends FieldProps<Choice> {
  readonly options: readonly Option<Choice>[];
}

export function SelectField<Choice extends string>({ options, ...props }: SelectFieldProps<Choice>) {
  const { field } = props;
  function choose(typed: string) {
    const chosen = options.find(({ value }) => value === typed);
    if (chosen) field.set(chosen.value);
  }
  return (
    <Frame {...props}>
      <select {...inputOf({ ...props, field: { ...field, set: choose } })}>
        {options.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
    </Frame>
  );
}
