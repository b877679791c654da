let serverTime = Date.now();
let heardAt = performance.now();

/** Takes the time from an answer's `Date` header: a phone's own clock can be days off. */
export function hearServerTime(date: string | null): void {
  const time = Date.parse(date ?? '');
  if (Number.isNaN(time)) return;
  serverTime = time;
  heardAt = performance.now();
}

/** Milliseconds since 1970 by the server's clock; late by the network's delay, so no session looks expired too early. */
export function serverNow(): number {
  return serverTime + performance.now() - heardAt;
}
