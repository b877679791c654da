import { describedBy, Hints, type FieldProps, type Option } from './field.tsx';

interface ChoiceProps extends FieldProps<boolean> {
  readonly type?: 'checkbox' | 'radio';
  /** That of all radios of which one is chosen. */
  readonly name?: string;
}

/** A box to check, or one of several radios. */
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

interface ChoicesProps<FieldValue> extends FieldProps<FieldValue> {
  readonly options: readonly Option[];
}

interface ChosenProps<FieldValue> extends ChoicesProps<FieldValue> {
  readonly type: 'checkbox' | 'radio';
  readonly isChosen: (value: string) => boolean;
  readonly choose: (value: string, chosen: boolean) => void;
}

function Choices<FieldValue>(props: ChosenProps<FieldValue>) {
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

/** Choose several of many. */
export function CheckboxesField(props: ChoicesProps<readonly string[]>) {
  const { value: chosen, set } = props.field;
  return (
    <Choices
      {...props}
      type="checkbox"
      isChosen={(value) => chosen.includes(value)}
      choose={(value, on) => set(on ? [...chosen, value] : chosen.filter((each) => each !== value))}
    />
  );
}

/** Choose one of a few. */
export function RadiosField(props: ChoicesProps<string>) {
  const { value: chosen, set } = props.field;
  return <Choices {...props} type="radio" isChosen={(value) => value === chosen} choose={(value) => set(value)} />;
}
