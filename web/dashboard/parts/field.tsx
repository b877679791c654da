import type { ComponentChildren } from 'preact';
import type { Field } from '../use-form.ts';

export interface Labels {
  readonly label: string;
  readonly hint?: ComponentChildren;
}

export const describedBy = ({ id, error }: { id: string; error: string | undefined }, hint: ComponentChildren) =>
  [hint ? `${id}-hint` : '', error === undefined ? '' : `${id}-error`].filter(Boolean).join(' ') || undefined;

interface FrameProps extends Labels {
  readonly field: Pick<Field<unknown>, 'id' | 'error'>;
  readonly children: ComponentChildren;
}

function Frame({ field: { id, error }, label, hint, children }: FrameProps) {
  return (
    <div class={error === undefined ? 'field' : 'field with-error'}>
      <label class="label" for={id}>
        {label}
      </label>
      <Hints id={id} hint={hint} error={error} />
      {children}
    </div>
  );
}

interface HintsProps {
  readonly id: string;
  readonly hint: ComponentChildren;
  readonly error: string | undefined;
}

export function Hints({ id, hint, error }: HintsProps) {
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

interface InputAttributes {
  /** Chooses a phone's keyboard. */
  readonly inputMode?: 'decimal' | 'numeric' | 'email' | 'tel' | 'url';
  readonly autoComplete?: string;
  /** Cuts what is pasted without a word: only where what is left means the same. */
  readonly maxLength?: number;
  readonly disabled?: boolean;
  readonly spellcheck?: boolean;
}

interface TextFieldProps extends Labels, InputAttributes {
  readonly field: Field<string>;
  /** A prefix before the input, such as $. */
  readonly prefix?: string;
  readonly suffix?: string;
  readonly width?: 'short' | 'middle';
}

export function TextField({
  field,
  label,
  hint,
  prefix,
  suffix,
  width,
  autoComplete = 'off',
  ...attributes
}: TextFieldProps) {
  return (
    <Frame field={field} label={label} hint={hint}>
      <div class={`input-row ${width ?? ''}`}>
        {prefix !== undefined && <span aria-hidden="true">{prefix}</span>}
        <input
          {...attributes}
          type="text"
          autoComplete={autoComplete}
          id={field.id}
          value={field.value}
          onInput={(event) => field.set(event.currentTarget.value)}
          aria-invalid={field.error !== undefined}
          aria-describedby={describedBy(field, hint)}
        />
        {suffix !== undefined && <span>{suffix}</span>}
      </div>
    </Frame>
  );
}

interface LinesFieldProps extends Labels, Pick<InputAttributes, 'autoComplete'> {
  readonly field: Field<string>;
  readonly rows: number;
}

export function LinesField({ field, label, hint, autoComplete = 'off', ...attributes }: LinesFieldProps) {
  return (
    <Frame field={field} label={label} hint={hint}>
      <textarea
        {...attributes}
        autoComplete={autoComplete}
        id={field.id}
        value={field.value}
        onInput={(event) => field.set(event.currentTarget.value)}
        aria-invalid={field.error !== undefined}
        aria-describedby={describedBy(field, hint)}
      />
    </Frame>
  );
}

interface DayFieldProps extends Labels {
  readonly field: Field<string>;
}

/** The value is like 2026-11-20, or empty. */
export function DayField({ field, label, hint }: DayFieldProps) {
  return (
    <Frame field={field} label={label} hint={hint}>
      <input
        type="date"
        id={field.id}
        value={field.value}
        onInput={(event) => field.set(event.currentTarget.value)}
        aria-invalid={field.error !== undefined}
        aria-describedby={describedBy(field, hint)}
      />
    </Frame>
  );
}

export interface Option {
  readonly value: string;
  readonly label: string;
  readonly hint?: string;
  readonly disabled?: boolean;
}

interface SelectFieldProps extends Labels {
  readonly field: Field<string>;
  readonly options: readonly Option[];
  readonly disabled?: boolean;
}

export function SelectField({ field, label, hint, options, disabled = false }: SelectFieldProps) {
  return (
    <Frame field={field} label={label} hint={hint}>
      <select
        id={field.id}
        value={field.value}
        disabled={disabled}
        onChange={(event) => field.set(event.currentTarget.value)}
        aria-invalid={field.error !== undefined}
        aria-describedby={describedBy(field, hint)}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value} disabled={option.disabled}>
            {option.label}
          </option>
        ))}
      </select>
    </Frame>
  );
}
