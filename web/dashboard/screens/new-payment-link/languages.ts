const languages = [
  { value: 'en', label: 'English' },
  { value: 'es', label: 'Spanish' },
] as const;

type Language = (typeof languages)[number]['value'];

export const languageOptions = [{ value: '', label: "As in the patient's browser" }, ...languages];

/** Undefined if the browser decides. */
export function languageOf(chosen: string): Language | undefined {
  return languages.find(({ value }) => value === chosen)?.value;
}
