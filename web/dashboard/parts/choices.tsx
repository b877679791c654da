import { describedBy, Hints, type FieldProps, type Option } from './field.tsx';
import type { Field } from '../use-form.ts';

interface ChoiceProps extends FieldProps<boolean> {
  readonly type?: 'checkbox' | 'radio';
  /** Radios with the same name exclude each other. */
  readonly name?: string;
}

export function CheckboxField(props: ChoiceProps) {
  const { field, label, hint, type = 'checkbox', name } = props;
  return (
    <div class="choice">
      <input
        type={type}
        id={field.id}
        name={name}
        checked={field.value}
        onChange={(event) => field.set(event.currentTarget.checked)}
        aria-describedby={describedBy(props)}
      />
      <div>
        <label for={field.id}>{label}</label>
        <Hints field={field} hint={hint} />
      </div>
    </div>
  );
}

interface ChoicesProps<FieldValue, Choice extends string> extends FieldProps<FieldValue> {
  readonly options: readonly Option<Choice>[];
}

interface ChosenProps<Choice extends string> extends Omit<ChoicesProps<unknown, Choice>, 'field'> {
  readonly field: Pick<Field<unknown>, 'id' | 'error'>;
  readonly type: 'checkbox' | 'radio';
  readonly isChosen: (choice: Choice) => boolean;
  readonly choose: (choice: Choice, chosen: boolean) => void;
}

function Choices<Choice extends string>(props: ChosenProps<Choice>) {
  const { field, label, hint, type, options, isChosen, choose } = props;
  const group = { field: { ...field, id: `${field.id}-group` }, hint };
  return (
    <fieldset class={field.error === undefined ? 'field' : 'field with-error'} aria-describedby={describedBy(group)}>
      <legend class="label">{label}</legend>
      <Hints {...group} />
      {options.map((option, index) => (
        <CheckboxField
          key={option.value}
          type={type}
          name={field.id}
          label={option.label}
          hint={option.hint}
          field={{
            // The error summary links to the first choice.
            id: index === 0 ? field.id : `${field.id}-${index}`,
            value: isChosen(option.value),
            set: (chosen) => choose(option.value, chosen),
          }}
        />
      ))}
    </fieldset>
  );
}

/** Choose several of many. They stay in the order of the options. */
export function CheckboxesField<Choice extends string>(props: ChoicesProps<readonly Choice[], Choice>) {
  const { field, options } = props;
  const { value: chosen, set } = field;
  const all = options.map(({ value }) => value);
  return (
    <Choices
      {...props}
      type="checkbox"
      isChosen={(choice) => chosen.includes(choice)}
      choose={(choice, on) => set(all.filter((each) => (each === choice ? on : chosen.includes(each))))}
    />
  );
}

export function RadiosField<Choice extends string>(props: ChoicesProps<Choice, Choice>) {
  const { value: chosen, set } = props.field;
  return <Choices {...props} type="radio" isChosen={(choice) => choice === chosen} choose={set} />;
}
