import type { ComponentType } from 'preact';
import lazy from 'preact-iso/lazy';
import { Route, Router, useLocation } from 'preact-iso/router';
import { useEffect } from 'preact/hooks';
import { Alone, Opening } from './parts/alone.tsx';
import { ProblemNotice } from './parts/notice.tsx';
import { Shell } from './parts/shell.tsx';
import { PracticeContext } from './practice.ts';
import { Home } from './screens/home.tsx';
import { NewVersion, NotFound } from './screens/no-screen.tsx';
import { useAnswer } from './use-answer.ts';
import { useMe } from './use-me.ts';

/** Loads a screen on demand. After a release, an open page may request files that are gone. */
function screen(load: () => Promise<ComponentType>): ComponentType {
  return lazy(() => load().catch(() => NewVersion));
}

const ofSessions = async () => (await import('./screens/session-screens.ts')).sessionScreens;
const Sessions = screen(async () => (await ofSessions()).Sessions);
const NewPaymentLink = screen(async () => (await ofSessions()).NewPaymentLink);
const SessionScreen = screen(async () => (await ofSessions()).SessionScreen);
const ProofOfAuthorization = screen(async () => (await ofSessions()).ProofOfAuthorization);

const ofSetup = async () => (await import('./screens/setup-screens.ts')).setupScreens;
const Deliveries = screen(async () => (await ofSetup()).Deliveries);
const Delivery = screen(async () => (await ofSetup()).Delivery);
const ApiKeys = screen(async () => (await ofSetup()).ApiKeys);
const WebhookEndpoints = screen(async () => (await ofSetup()).WebhookEndpoints);
const WebhookEndpoint = screen(async () => (await ofSetup()).WebhookEndpoint);
const TestBank = screen(async () => (await ofSetup()).TestBank);
const Team = screen(async () => (await ofSetup()).Team);
const AuditLog = screen(async () => (await ofSetup()).AuditLog);

/** A file of its own, because it includes the patient's page. */
const PracticeSettings = screen(async () => (await import('./screens/practice-settings.tsx')).PracticeSettings);
/** Production only. */
const ofPayouts = async () => (await import('./screens/payout-screens.ts')).payoutScreens;
const Payouts = screen(async () => (await ofPayouts()).Payouts);
const Payout = screen(async () => (await ofPayouts()).Payout);

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
      <Route path="/:practiceId" component={Home} />
      <Route path="/:practiceId/sessions" component={Sessions} />
      <Route path="/:practiceId/sessions/new" component={NewPaymentLink} />
      <Route path="/:practiceId/sessions/:sessionId" component={SessionScreen} />
      <Route path="/:practiceId/sessions/:sessionId/authorization" component={ProofOfAuthorization} />
      <Route path="/:practiceId/deliveries" component={Deliveries} />
      <Route path="/:practiceId/deliveries/:eventId/:endpointId" component={Delivery} />
      <Route path="/:practiceId/settings/keys" component={ApiKeys} />
      <Route path="/:practiceId/settings/webhooks" component={WebhookEndpoints} />
      <Route path="/:practiceId/settings/webhooks/:endpointId" component={WebhookEndpoint} />
      <Route path="/:practiceId/settings/practice" component={PracticeSettings} />
      <Route path="/:practiceId/settings/test-bank" component={TestBank} />
      <Route path="/:practiceId/payouts" component={Payouts} />
      <Route path="/:practiceId/payouts/:payoutId" component={Payout} />
      <Route path="/:practiceId/team" component={Team} />
      <Route path="/:practiceId/audit-log" component={AuditLog} />
      <Route default component={NotFound} />
    </Router>
  );
}
