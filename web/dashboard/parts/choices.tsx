import type { ComponentChildren } from 'preact';
import type { Field } from '../use-form.ts';
import { describedBy, Hints, type Labels, type Option } from './field.tsx';

interface ChoicesProps extends Labels {
  readonly field: Pick<Field<unknown>, 'id' | 'error'>;
  readonly type: 'checkbox' | 'radio';
  readonly options: readonly Option[];
  readonly isChosen: (value: string) => boolean;
  readonly choose: (value: string, chosen: boolean) => void;
}

function Choices({ field, label, hint, type, options, isChosen, choose }: ChoicesProps) {
  return (
    <fieldset
      class={field.error === undefined ? 'field' : 'field with-error'}
      aria-describedby={describedBy(field, hint)}
    >
      <legend class="label">{label}</legend>
      <Hints id={field.id} hint={hint} error={field.error} />
      {options.map((option, index) => (
        // The error summary links to the first choice.
        <Choice key={option.value} id={index === 0 ? field.id : `${field.id}-${index}`} option={option}>
          {(id) => (
            <input
              type={type}
              id={id}
              name={field.id}
              checked={isChosen(option.value)}
              disabled={option.disabled}
              onChange={(event) => choose(option.value, event.currentTarget.checked)}
              aria-describedby={option.hint === undefined ? undefined : `${id}-note`}
            />
          )}
        </Choice>
      ))}
    </fieldset>
  );
}

interface ChoiceProps {
  readonly id: string;
  readonly option: Option;
  readonly children: (id: string) => ComponentChildren;
}

function Choice({ id, option, children }: ChoiceProps) {
  return (
    <div class="choice">
      {children(id)}
      <div>
        <label for={id}>{option.label}</label>
        {option.hint !== undefined && (
          <p class="hint" id={`${id}-note`}>
            {option.hint}
          </p>
        )}
      </div>
    </div>
  );
}

interface CheckboxesFieldProps extends Labels {
  readonly field: Field<readonly string[]>;
  readonly options: readonly Option[];
}

/** Choose several of many. */
export function CheckboxesField({ field, ...rest }: CheckboxesFieldProps) {
  const { value: chosen } = field;
  return (
    <Choices
      {...rest}
      field={field}
      type="checkbox"
      isChosen={(value) => chosen.includes(value)}
      choose={(value, on) => field.set(on ? [...chosen, value] : chosen.filter((each) => each !== value))}
    />
  );
}

interface RadiosFieldProps extends Labels {
  readonly field: Field<string>;
  readonly options: readonly Option[];
}

/** Choose one of a few. */
export function RadiosField({ field, ...rest }: RadiosFieldProps) {
  return (
    <Choices
      {...rest}
      field={field}
      type="radio"
      isChosen={(value) => field.value === value}
      choose={(value) => field.set(value)}
    />
  );
}

interface CheckboxFieldProps extends Labels {
  readonly field: Field<boolean>;
  readonly disabled?: boolean;
}

/** Choose yes or no. */
export function CheckboxField({ field, label, hint, disabled = false }: CheckboxFieldProps) {
  return (
    <div class="choice">
      <input
        type="checkbox"
        id={field.id}
        checked={field.value}
        disabled={disabled}
        onChange={(event) => field.set(event.currentTarget.checked)}
        aria-describedby={describedBy(field, hint)}
      />
      <div>
        <label for={field.id}>{label}</label>
        <Hints id={field.id} hint={hint} error={field.error} />
      </div>
    </div>
  );
}
