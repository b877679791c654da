import type { ComponentType } from 'preact';
import lazy from 'preact-iso/lazy';
import { Route, Router, useLocation } from 'preact-iso/router';
import { useEffect } from 'preact/hooks';
import { Alone, Opening, NewVersion, NotFound } from './parts/alone.tsx';
import { ProblemNotice } from './parts/notice.tsx';
import { Shell } from './parts/shell.tsx';
import { PracticeContext } from './practice.ts';
import { Home } from './screens/home.tsx';
import { useAnswer, type Loadable } from './use-answer.ts';
import { useMe } from './use-me.ts';

const ofSessions = async () => (await import('./screens/session-screens.ts')).sessionScreens;
const ofSetup = async () => (await import('./screens/setup-screens.ts')).setupScreens;
/** Kept in a separate file, because it includes the patient's page. */
const ofSettings = () => import('./screens/practice-settings.tsx');
const ofPayouts = () => import('./screens/payouts.tsx');

const shared: Readonly<Record<string, ComponentType>> = {
  '/deliveries': screen(ofSetup, 'Deliveries'),
  '/deliveries/:eventId/:endpointId': screen(ofSetup, 'Delivery'),
  '/settings/keys': screen(ofSetup, 'ApiKeys'),
  '/settings/webhooks': screen(ofSetup, 'WebhookEndpoints'),
  '/settings/webhooks/:endpointId': screen(ofSetup, 'WebhookEndpoint'),
  '/team': screen(ofSetup, 'Team'),
  '/audit-log': screen(ofSetup, 'AuditLog'),
};

const platformScreens: Readonly<Record<string, ComponentType>> = { ...shared, '': screen(ofSetup, 'Practices') };

const screens: Readonly<Record<string, ComponentType>> = {
  ...shared,
  '': Home,
  '/sessions': screen(ofSessions, 'Sessions'),
  '/sessions/new': screen(ofSessions, 'NewPaymentLink'),
  '/sessions/:sessionId': screen(ofSessions, 'SessionScreen'),
  '/sessions/:sessionId/authorization': screen(ofSessions, 'ProofOfAuthorization'),
  '/settings/practice': screen(ofSettings, 'PracticeSettings'),
};

const sandboxScreens: Readonly<Record<string, ComponentType>> = {
  ...screens,
  '/settings/test-bank': screen(ofSetup, 'TestBank'),
  '/payouts': screen(ofPayouts, 'NoPayouts'),
};

const liveScreens: Readonly<Record<string, ComponentType>> = {
  ...screens,
  '/payouts': screen(ofPayouts, 'Payouts'),
  '/payouts/:payoutId': screen(ofPayouts, 'Payout'),
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
  if (settings.loaded.state === 'failed' && settings.loaded.problem.code === 'practice_not_found') return <NotFound />;
  if (me.loaded.state !== 'ready' || settings.loaded.state !== 'ready') return <NotReady answers={[me, settings]} />;
  const { value } = settings.loaded;
  const { mode, practices, platforms } = me.loaded.value;
  const own = practices.find((each) => each.practiceId === practiceId);
  const platform = own ? undefined : platforms.find(({ platformId }) => platformId === value.platformId);
  const practice = {
    practiceId,
    name: value.name,
    timeZone: value.timeZone,
    role: (own ?? platform)?.role ?? 'viewer',
    platform,
    mode,
    me: me.loaded.value,
    reloadMe: me.reload,
    settings: value,
    reloadSettings: settings.reload,
  };
  return (
    <PracticeContext.Provider value={practice}>
      <Shell>
        <Screens of={mode === 'live' ? liveScreens : sandboxScreens} />
      </Shell>
    </PracticeContext.Provider>
  );
}

/** A platform's own screens. Those of its practices are like those of any practice. */
export function PlatformScreens({ platformId }: { readonly platformId: string }) {
  const me = useMe();
  if (me.loaded.state !== 'ready') return <NotReady answers={[me]} />;
  const { mode, platforms } = me.loaded.value;
  const platform = platforms.find((each) => each.platformId === platformId);
  if (!platform) return <NotFound />;
  const { name, role } = platform;
  // A platform has no zone of its own, and practices in several.
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  const owner = { practiceId: platformId, name, role, timeZone, mode, me: me.loaded.value, reloadMe: me.reload };
  return (
    <PracticeContext.Provider value={owner}>
      <Shell>
        <Screens of={platformScreens} />
      </Shell>
    </PracticeContext.Provider>
  );
}

interface NotReadyProps {
  readonly answers: readonly { readonly loaded: Loadable<unknown>; readonly reload: () => Promise<void> }[];
}

function NotReady({ answers }: NotReadyProps) {
  for (const { loaded, reload } of answers) {
    if (loaded.state === 'failed' && loaded.problem.code !== 'not_signed_in')
      return (
        <Alone title="Practice dashboard">
          <ProblemNotice problem={loaded.problem} retry={() => void reload()} />
        </Alone>
      );
  }
  return <Opening />;
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

function Screens({ of }: { readonly of: Readonly<Record<string, ComponentType>> }) {
  const { path } = useLocation();
  if (!isDecodable(path)) return <NotFound />;
  return (
    <Router>
      {Object.entries(of).map(([below, component]) => (
        <Route key={below} path={`/:practiceId${below}`} component={component} />
      ))}
      <Route default component={NotFound} />
    </Router>
  );
}
