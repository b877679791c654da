/** Says what went wrong, aloud too. The box is always there: screen readers announce what changes inside it. */
export function Notice({ text }: { text: string | undefined }) {
  return (
    <div role="alert" class="notice">
      {text}
    </div>
  );
}
