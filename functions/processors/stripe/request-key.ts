/** Stripe repeats its answer to a key for at least a day, also a server error: after one, the key must change. */
export function requestKey(call: string, sessionId: string, serverErrors = 0): string {
  return serverErrors === 0 ? `${call}:${sessionId}` : `${call}:${sessionId}:${serverErrors}`;
}
