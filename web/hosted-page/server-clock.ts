let serverTime = Date.now();
let heardAt = performance.now();

/** A phone's own clock can be days off. */
export function hearServerTime(date: string | null): void {
  const time = Date.parse(date ?? '');
  if (Number.isNaN(time)) return;
  serverTime = time;
  heardAt = performance.now();
}

/** Behind by the network's delay, so that no session looks expired early. */
export function serverNow(): number {
  return serverTime + performance.now() - heardAt;
}
