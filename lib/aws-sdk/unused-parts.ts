/** Replaces the SDK's event streams, which we never use: their dynamic import wraps half of every bundle in functions. */
export class EventStreamSerde {
  constructor() {
    throw new Error('Event streams are not in the bundle.');
  }
}

export function eventStreamSerdeProvider(): void {
  // The S3 client imports this.
}

export function resolveEventStreamSerdeConfig<Config>(config: Config): Config {
  return config;
}

/** Lambda has no such files. Looking for them would add Node's `fs/promises` and two reads to a cold start. */
export function fromSharedConfigFiles() {
  return () => Promise.reject(Object.assign(new Error('There are no shared files.'), { tryNextLink: true }));
}
