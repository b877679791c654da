/** Milliseconds since 1970 by the server, as the last answer said; by the device until the first. */
let serverTime = Date.now();
let heardAt = performance.now();

/** Takes the time from the `Date` header of an answer: a phone's own clock may be days off. */
export function hearServerTime(date: string | null): void {
  const time = Date.parse(date ?? '');
  if (Number.isNaN(time)) return;
  serverTime = time;
  heardAt = performance.now();
}

/** Milliseconds since 1970 by the server's clock. It is behind by an answer's way at most, so that no session is called over before it is. */
export function serverNow(): number {
  return serverTime + performance.now() - heardAt;
}
