import { useLayoutEffect } from 'preact/hooks';
import { forgetSignIn, rememberSignIn } from './signed-in-hint.ts';
import { useAnswer } from './use-answer.ts';

/** Who is signed in. The start page asks only in a browser in which the last answer named somebody. */
export function useMe() {
  const me = useAnswer('getMe', { params: {} });
  // Before the screen can be used: whoever leaves it at once is remembered too.
  useLayoutEffect(() => {
    if (me.loaded.state === 'ready') rememberSignIn();
    if (me.loaded.state === 'failed' && me.loaded.problem.code === 'not_signed_in') forgetSignIn();
  }, [me.loaded.state]);
  return me;
}
