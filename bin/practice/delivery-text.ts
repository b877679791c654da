interface Answer {
  readonly statusCode?: number | undefined;
  readonly error?: string | undefined;
  readonly durationMilliseconds: number;
}

/** `204 in 12 ms`, or why there is no answer. */
export function answerText({ statusCode, error = 'no answer', durationMilliseconds }: Answer): string {
  return `${statusCode ?? error.replaceAll('_', ' ')} in ${durationMilliseconds} ms`;
}
