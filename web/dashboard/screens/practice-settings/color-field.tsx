import { TextField, type Labels } from '../../parts/field.tsx';
import type { Field } from '../../use-form.ts';

/** A color, typed or picked. */
export function ColorField({ field, label, hint }: Labels & { readonly field: Field<string> }) {
  const shown = /^#[\da-f]{6}$/i.test(field.value) ? field.value.toLowerCase() : '#000000';
  return (
    <div class="color-field">
      <TextField field={field} label={label} hint={hint} width="short" maxLength={7} spellcheck={false} />
      <input
        type="color"
        aria-label={`Pick the ${label.toLowerCase()}`}
        value={shown}
        onInput={(event) => field.set(event.currentTarget.value)}
      />
    </div>
  );
}
