import { useRef } from 'preact/hooks';

/** Returns the idempotency key of a form's request: the same for a retry, a new one for a changed request. */
export function useIdempotencyKey(): (body: object) => string {
  const last = useRef({ sent: '', key: '' });
  return (body) => {
    const sent = JSON.stringify(body);
    if (last.current.sent !== sent) last.current = { sent, key: crypto.randomUUID() };
    return last.current.key;
  };
}
