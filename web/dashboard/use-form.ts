import { useEffect, useRef, useState } from 'preact/hooks';
import { errorWords, isAboutSignIn, leavingToSignIn, type Answer, type ApiProblem } from './api.ts';
import { usePractice } from './practice.ts';
import { useUnsaved } from './unsaved.ts';

type Value = string | boolean | readonly string[];
type Errors<Values> = { readonly [Name in keyof Values]?: string | undefined };

interface FormOptions<Values, Result> {
  /** Identifies the form in the document and its draft. */
  readonly name: string;
  readonly initial: Values;
  /** Fields that no draft keeps: a patient's name, or what may be a secret. */
  readonly neverKept?: (values: Values) => readonly (keyof Values)[];
  /** Errors that the browser can find without a request. */
  readonly check?: (values: Values) => Errors<Values>;
  readonly send: (values: Values) => Promise<Answer<Result>>;
  readonly sent: (result: Result) => void;
  /** Maps an API pointer to a field, if its last part is not the field's name. */
  readonly fieldOf?: (pointer: string) => string | undefined;
  /** Maps a problem without a pointer to the field that it is about. */
  readonly fieldOfProblem?: { readonly [Code in ApiProblem['code']]?: keyof Values & string };
}

export interface Field<FieldValue> {
  readonly id: string;
  readonly value: FieldValue;
  readonly set: (value: FieldValue) => void;
  readonly error?: string | undefined;
}

export interface Form<Values> {
  readonly name: string;
  readonly values: Values;
  readonly busy: boolean;
  readonly problem: ApiProblem | undefined;
  /** In the order of the fields. */
  readonly summary: readonly { readonly id?: string; readonly words: string }[];
  /** Increases with each refused submission, so that the summary takes the focus again. */
  readonly submissions: number;
  readonly field: <Name extends keyof Values & string>(name: Name) => Field<Values[Name]>;
  readonly set: (changes: Partial<Values>) => void;
  /** Like `set`, for values that are saved already. */
  readonly setSaved: (changes: Partial<Values>) => void;
  readonly isChanged: boolean;
  /** Whether a sign-in interrupted the submission. */
  readonly interrupted: boolean;
  readonly submit: (event: Event) => void;
}

interface Refusal {
  readonly errors: Readonly<Record<string, string | undefined>>;
  readonly others: readonly string[];
  readonly problem?: ApiProblem;
}

/**
 * The state of a form: values, errors beside their fields, and a draft that survives a sign-in of the same user: at a shared
 * computer, somebody else may sign in. Drafts are kept in the tab, so no secret and no patient's name may be in one.
 */
export function useForm<Values extends Record<string, Value>, Result>(
  options: FormOptions<Values, Result>,
): Form<Values> {
  const { name, initial, neverKept, check, send, sent, fieldOf, fieldOfProblem = {} } = options;
  const { me } = usePractice();
  const draftName = `draft ${me.user.userId} ${location.pathname} ${name}`;
  const [restored] = useState(() => draft(draftName));
  const [values, setValues] = useState<Values>(() => ({ ...initial, ...restored }));
  const [saved, setSaved] = useState(initial);
  const [interrupted, setInterrupted] = useState(restored !== undefined);
  const [refusal, setRefusal] = useState<Refusal>();
  const [busy, setBusy] = useState(false);
  const [submissions, setSubmissions] = useState(0);
  const sending = useRef(false);
  const unanswered = useRef(false);
  const changes = Object.entries(values).filter(
    ([field, value]) => JSON.stringify(value) !== JSON.stringify(saved[field]),
  );
  const isChanged = changes.length > 0;
  useUnsaved(draftName, isChanged, values);
  useEffect(() => {
    const forget = () => sessionStorage.removeItem(draftName);
    forget();
    // After the sign-in, the browser may restore the page as it was.
    addEventListener('pageshow', forget);
    return () => removeEventListener('pageshow', forget);
  }, [draftName]);
  useEffect(() => {
    const keep = () => {
      if (!isChanged && !unanswered.current) return;
      const secret = neverKept?.(values) ?? [];
      const kept = changes.filter(([field]) => !secret.includes(field));
      sessionStorage.setItem(draftName, JSON.stringify(Object.fromEntries(kept)));
    };
    addEventListener(leavingToSignIn, keep);
    return () => removeEventListener(leavingToSignIn, keep);
  }, [draftName, values, saved]);

  function refuse(reason: Refusal) {
    unanswered.current = false;
    setRefusal(reason);
    setSubmissions((count) => count + 1);
  }

  async function sendOnce(): Promise<Answer<Result>> {
    sending.current = true;
    setBusy(true);
    setRefusal(undefined);
    unanswered.current = true;
    try {
      return await send(values);
    } finally {
      sending.current = false;
      setBusy(false);
    }
  }

  async function submit(event: Event) {
    event.preventDefault();
    if (sending.current) return;
    setInterrupted(false);
    const errors = Object.fromEntries(Object.entries<string | undefined>(check?.(values) ?? {}));
    if (Object.values(errors).some((error) => error !== undefined)) return refuse({ errors, others: [] });
    const answer = await sendOnce();
    if (answer.ok) {
      unanswered.current = false;
      setSaved(values);
      return sent(answer.value);
    }
    if (!isAboutSignIn(answer.problem.code)) refuse(refusalOf(answer.problem));
  }

  function refusalOf(problem: ApiProblem): Refusal {
    const { errors = [], title, detail = title } = problem;
    const only = fieldOfProblem[problem.code];
    if (only !== undefined) return { errors: { [only]: detail }, others: [] };
    const placed = errors.map((error) => ({
      field: fieldOf?.(error.pointer) ?? error.pointer.split('/').at(-1) ?? '',
      words: errorWords(error),
    }));
    const isField = ({ field }: { field: string }) => Object.hasOwn(initial, field);
    const byField = Object.fromEntries(placed.filter(isField).map(({ field, words }) => [field, words]));
    const others = placed.filter((each) => !isField(each)).map(({ field, words }) => `${field}: ${words}`);
    return { errors: byField, others, ...(errors.length === 0 && { problem }) };
  }

  const idOf = (field: string) => `${name}-${field}`;
  const { errors = {}, others = [], problem }: Partial<Refusal> = refusal ?? {};

  return {
    name,
    values,
    busy,
    problem,
    submissions,
    summary: [
      ...Object.keys(initial).flatMap((field) => {
        const words = errors[field];
        return words === undefined ? [] : [{ id: idOf(field), words }];
      }),
      ...others.map((words) => ({ words })),
    ],
    field: (field) => ({
      id: idOf(field),
      value: values[field],
      set: (value) => setValues((current) => ({ ...current, [field]: value })),
      error: errors[field],
    }),
    set: (some) => setValues((current) => ({ ...current, ...some })),
    setSaved(some) {
      setSaved((current) => ({ ...current, ...some }));
      setValues((current) => ({ ...current, ...some }));
    },
    isChanged,
    interrupted,
    submit: (event) => void submit(event),
  };
}

function draft(name: string): object | undefined {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(name) ?? 'null');
    return typeof kept === 'object' && kept !== null ? kept : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the idempotency key of a form's request: the same for a retry, a new one for a changed request. */
export function useIdempotencyKey(): (body: object) => string {
  const last = useRef({ sent: '', key: '' });
  return (body) => {
    const sent = JSON.stringify(body);
    if (last.current.sent !== sent) last.current = { sent, key: crypto.randomUUID() };
    return last.current.key;
  };
}
