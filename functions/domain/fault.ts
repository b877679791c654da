/** Its message contains no data, so it is safe to log. */
export class Fault extends Error {
  override readonly name = 'Fault';
}

export function unreachable(value: never): never {
  throw new Fault(`unexpected ${typeof value}`);
}
