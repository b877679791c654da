import { TextField, type Labels } from '../../parts/field.tsx';
import type { Field } from '../../use-form.ts';
import { brandColors } from '../../../hosted-page/brand.ts';

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

/** Says how the payment page keeps text and buttons in this color readable. */
export function colorHint(color: string): string | undefined {
  const colors = brandColors(color);
  if (!colors) return undefined;
  const words = `Text on it is ${colors.onBrand === '#ffffff' ? 'white' : 'black'}.`;
  const faint = [...(colors.edgeOnLight === color ? [] : ['light']), ...(colors.edgeOnDark === color ? [] : ['dark'])];
  if (faint.length === 0) return words;
  return `${words} It is hard to see on ${faint.join(' and ')} pages, so buttons get a gray edge there.`;
}
