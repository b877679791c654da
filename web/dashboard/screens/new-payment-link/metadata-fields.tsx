import { Button } from '../../parts/button.tsx';
import type { Field } from '../../use-form.ts';

/** Alternating names and values: name, value, name, value. */
type Entries = readonly string[];

/** The API's limit. */
const mostEntries = 16;

/** Leaves out fields with neither name nor value. */
export function metadataOf(entries: Entries): Record<string, string> {
  return Object.fromEntries(pairsOf(entries).filter(([name, value]) => name !== '' || value !== ''));
}

export function metadataError(entries: Entries): string | undefined {
  const names = pairsOf(entries).flatMap(([name]) => (name === '' ? [] : [name]));
  return new Set(names).size < names.length ? 'Use each name only once' : undefined;
}

function pairsOf(entries: Entries): [name: string, value: string][] {
  return entries.flatMap((name, index): [string, string][] =>
    index % 2 === 0 ? [[name.trim(), (entries[index + 1] ?? '').trim()]] : [],
  );
}

export function MetadataFields({ field }: { readonly field: Field<Entries> }) {
  const { id, value: entries, set, error } = field;
  const rows = entries.length / 2;
  const input = (index: number, label: string) => (
    <input
      type="text"
      id={index === 0 ? id : undefined}
      value={entries[index]}
      aria-label={`${label} ${Math.floor(index / 2) + 1}`}
      placeholder={label}
      autoComplete="off"
      aria-invalid={error !== undefined}
      aria-describedby={`${id}-hint`}
      onInput={({ currentTarget: { value } }) => set(entries.map((each, at) => (at === index ? value : each)))}
    />
  );
  return (
    <fieldset class={error === undefined ? 'field' : 'field with-error'}>
      <legend class="label">For your software (optional)</legend>
      <p class="hint" id={`${id}-hint`}>
        Names with values, such as a location. Your software and exports get them; patients never see them.
      </p>
      {error !== undefined && <p class="error">{error}</p>}
      {Array.from({ length: rows }, (_, row) => (
        <div key={row} class="metadata-row">
          {input(row * 2, 'Name')}
          {input(row * 2 + 1, 'Value')}
          <Button
            kind="plain"
            aria-label={`Remove name and value ${row + 1}`}
            onClick={() => set(entries.filter((_each, index) => Math.floor(index / 2) !== row))}
          >
            Remove
          </Button>
        </div>
      ))}
      {rows < mostEntries && (
        <div>
          <Button onClick={() => set([...entries, '', ''])}>Add a name and value</Button>
        </div>
      )}
    </fieldset>
  );
}
