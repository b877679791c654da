import type { ComponentType } from 'preact';
import lazy from 'preact-iso/lazy';
import { Route, Router, useLocation } from 'preact-iso/router';
import { useEffect } from 'preact/hooks';
import { Alone, Opening, NewVersion, NotFound } from './parts/alone.tsx';
import { ProblemNotice } from './parts/notice.tsx';
import { Shell } from './parts/shell.tsx';
import { PracticeContext } from './practice.ts';
import { Home } from './screens/home.tsx';
import { useAnswer } from './use-answer.ts';
import { useMe } from './use-me.ts';

const ofSessions = async () => (await import('./screens/session-screens.ts')).sessionScreens;
const ofSetup = async () => (await import('./screens/setup-screens.ts')).setupScreens;
/** A file of its own, because it includes the patient's page. */
const ofSettings = () => import('./screens/practice-settings.tsx');
/** Production only. */
const ofPayouts = () => import('./screens/payouts.tsx');

const screens: Readonly<Record<string, ComponentType>> = {
  '': Home,
  '/sessions': screen(ofSessions, 'Sessions'),
  '/sessions/new': screen(ofSessions, 'NewPaymentLink'),
  '/sessions/:sessionId': screen(ofSessions, 'SessionScreen'),
  '/sessions/:sessionId/authorization': screen(ofSessions, 'ProofOfAuthorization'),
  '/deliveries': screen(ofSetup, 'Deliveries'),
  '/deliveries/:eventId/:endpointId': screen(ofSetup, 'Delivery'),
  '/settings/keys': screen(ofSetup, 'ApiKeys'),
  '/settings/webhooks': screen(ofSetup, 'WebhookEndpoints'),
  '/settings/webhooks/:endpointId': screen(ofSetup, 'WebhookEndpoint'),
  '/settings/practice': screen(ofSettings, 'PracticeSettings'),
  '/settings/test-bank': screen(ofSetup, 'TestBank'),
  '/payouts': screen(ofPayouts, 'Payouts'),
  '/payouts/:payoutId': screen(ofPayouts, 'Payout'),
  '/team': screen(ofSetup, 'Team'),
  '/audit-log': screen(ofSetup, 'AuditLog'),
};

/** Loads a screen on demand. After a release, an open page may request files that are gone. */
function screen<Name extends string>(load: () => Promise<Readonly<Record<Name, ComponentType>>>, name: Name) {
  return lazy(() =>
    load().then(
      (loaded) => loaded[name],
      () => NewVersion,
    ),
  );
}

export function PracticeScreens({ practiceId }: { readonly practiceId: string }) {
  const { path } = useLocation();
  useEffect(() => {
    if (path === `/${practiceId}`) return;
    // Preloads the screens while the first answers are loading. A failure shows up when the screen is drawn.
    const load = path.startsWith(`/${practiceId}/sessions`) ? ofSessions : ofSetup;
    void load().catch(() => undefined);
  }, []);
  const me = useMe();
  const settings = useAnswer('getSettings', { params: { practiceId } });
  if (me.loaded.state === 'ready' && !me.loaded.value.practices.some((each) => each.practiceId === practiceId))
    return <NotFound />;
  for (const { loaded, reload } of [me, settings]) {
    if (loaded.state === 'failed' && loaded.problem.code !== 'not_signed_in')
      return (
        <Alone title="Practice dashboard">
          <ProblemNotice problem={loaded.problem} retry={() => void reload()} />
        </Alone>
      );
  }
  if (me.loaded.state !== 'ready' || settings.loaded.state !== 'ready') return <Opening />;
  const { role = 'viewer' } = me.loaded.value.practices.find((each) => each.practiceId === practiceId) ?? {};
  const { value } = settings.loaded;
  const practice = {
    practiceId,
    name: value.name,
    timeZone: value.timeZone,
    role,
    mode: me.loaded.value.mode,
    me: me.loaded.value,
    reloadMe: me.reload,
    settings: value,
    reloadSettings: settings.reload,
  };
  return (
    <PracticeContext.Provider value={practice}>
      <Shell>{isDecodable(path) ? <Screens /> : <NotFound />}</Shell>
    </PracticeContext.Provider>
  );
}

/** The router throws for a path such as `/%E0%A4%A`. */
function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}

function Screens() {
  return (
    <Router>
      {Object.entries(screens).map(([path, component]) => (
        <Route key={path} path={`/:practiceId${path}`} component={component} />
      ))}
      <Route default component={NotFound} />
    </Router>
  );
}
