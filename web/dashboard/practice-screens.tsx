import type { ComponentType } from 'preact';
import lazy from 'preact-iso/lazy';
import { Route, Router } from 'preact-iso/router';
import { Alone, Opening } from './parts/alone.tsx';
import { ProblemNotice } from './parts/notice.tsx';
import { Shell } from './parts/shell.tsx';
import { PracticeContext } from './practice.ts';
import { Home } from './screens/home.tsx';
import { NewVersion } from './screens/crash.tsx';
import { NotFound } from './screens/not-found.tsx';
import { useAnswer } from './use-answer.ts';

/** After a release, an open page asks for files that are gone. */
function screen(load: () => Promise<ComponentType>): ComponentType {
  return lazy(() => load().catch(() => NewVersion));
}

const Sessions = screen(async () => (await import('./screens/sessions.tsx')).Sessions);
const NewPaymentLink = screen(async () => (await import('./screens/new-payment-link.tsx')).NewPaymentLink);
const SessionScreen = screen(async () => (await import('./screens/session.tsx')).SessionScreen);
const ProofOfAuthorization = screen(
  async () => (await import('./screens/proof-of-authorization.tsx')).ProofOfAuthorization,
);
const Deliveries = screen(async () => (await import('./screens/deliveries.tsx')).Deliveries);
const Delivery = screen(async () => (await import('./screens/delivery.tsx')).Delivery);
const ApiKeys = screen(async () => (await import('./screens/api-keys.tsx')).ApiKeys);
const WebhookEndpoints = screen(async () => (await import('./screens/webhook-endpoints.tsx')).WebhookEndpoints);
const WebhookEndpoint = screen(async () => (await import('./screens/webhook-endpoint.tsx')).WebhookEndpoint);
const PracticeSettings = screen(async () => (await import('./screens/practice-settings.tsx')).PracticeSettings);
const TestBank = screen(async () => (await import('./screens/test-bank.tsx')).TestBank);
const Payouts = screen(async () => (await import('./screens/payouts.tsx')).Payouts);
const Team = screen(async () => (await import('./screens/team.tsx')).Team);
const AuditLog = screen(async () => (await import('./screens/audit-log.tsx')).AuditLog);

export function PracticeScreens({ practiceId }: { readonly practiceId: string }) {
  const me = useAnswer('me', { params: {} });
  const settings = useAnswer('getSettings', { params: { practiceId } });
  if (me.loaded.state === 'ready' && !me.loaded.value.practices.some((each) => each.practiceId === practiceId))
    return <NotFound />;
  for (const { loaded, reload } of [me, settings]) {
    if (loaded.state === 'failed')
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
    settings: value,
    reloadSettings: settings.reload,
  };
  return (
    <PracticeContext.Provider value={practice}>
      <Shell>
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
          <Route path="/:practiceId/team" component={Team} />
          <Route path="/:practiceId/audit-log" component={AuditLog} />
          <Route default component={NotFound} />
        </Router>
      </Shell>
    </PracticeContext.Provider>
  );
}
