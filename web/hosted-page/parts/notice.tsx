/** Says how the last try went, aloud too. The box is always there: screen readers announce what changes inside it. */
export function Notice({ text, waiting = false }: { text: string | undefined; waiting?: boolean }) {
  return (
    <div role="alert" class={waiting ? 'notice waiting' : 'notice'}>
      {text}
    </div>
  );
}
