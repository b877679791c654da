import { Problem } from '../contract/problem.ts';

export function invalidCursor(): Problem {
  return new Problem(
    'invalid_cursor',
    'Use a cursor only with the filters of the request that returned it, or start without one.',
  );
}
