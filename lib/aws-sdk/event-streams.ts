/** For the SDK, whose dynamic import of them wraps half of every bundle in functions. No call of ours streams events. */
export class EventStreamSerde {
  constructor() {
    throw new Error('Event streams are not in the bundle.');
  }
}

export function eventStreamSerdeProvider(): void {
  // Asked for by the S3 client.
}

export function resolveEventStreamSerdeConfig<Config>(config: Config): Config {
  return config;
}
