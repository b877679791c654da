import { texts } from '../language.ts';

/** Someone else's account may pay: a parent's, for example. */
export function PayerName({
  name,
  busy,
  type,
  done,
}: {
  name: string;
  busy: boolean;
  type: (name: string) => void;
  /** Called when the patient leaves the field or presses Enter. */
  done: () => void;
}) {
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        done();
      }}
    >
      <input
        aria-label={texts.review.payer}
        value={name}
        maxLength={100}
        autocomplete="name"
        readOnly={busy}
        onInput={({ currentTarget }) => type(currentTarget.value)}
        onChange={done}
      />
    </form>
  );
}
