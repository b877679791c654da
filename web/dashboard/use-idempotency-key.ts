import { useRef } from 'preact/hooks';

/** The key of a form's request: a retry has the same one, and a changed request a new one. */
export function useIdempotencyKey(): (body: object) => string {
  const last = useRef({ sent: '', key: '' });
  return (body) => {
    const sent = JSON.stringify(body);
    if (last.current.sent !== sent) last.current = { sent, key: crypto.randomUUID() };
    return last.current.key;
  };
}
