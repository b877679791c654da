import type { ComponentChildren } from 'preact';
import { useLocation } from 'preact-iso/router';
import { useLayoutEffect, useState } from 'preact/hooks';
import { usePractice } from '../practice.ts';
import { Notice } from './notice.tsx';
import { Time } from './facts.tsx';
import { UserMenu } from './user-menu.tsx';
import { formatCount } from '../format.ts';
import { useAnswer } from '../use-answer.ts';
import { useEvery } from '../use-every.ts';
import { Button } from './button.tsx';

/** The frame around every screen of a practice. */
export function Shell({ children }: { readonly children: ComponentChildren }) {
  const { name, mode, practiceId, me, settings } = usePractice();
  const { path } = useLocation();
  const [open, setOpen] = useState(false);
  useLayoutEffect(() => setOpen(false), [path]);
  return (
    <div class="shell">
      <a class="skip" href="#content">
        Skip to the content
      </a>
      <header class="side" data-open={open}>
        <div class="side-top">
          <a class="practice-name" href={`/${practiceId}`}>
            {name}
          </a>
          {mode === 'sandbox' && <span class="sandbox">Sandbox</span>}
          <button
            type="button"
            class="button plain menu-button"
            aria-expanded={open}
            aria-controls="menu"
            onClick={() => setOpen(!open)}
          >
            Menu
          </button>
        </div>
        <div id="menu" class="menu">
          {me.practices.length > 1 && (
            <a class="switch" href="/">
              Switch practice
            </a>
          )}
          <Navigation />
          <UserMenu />
        </div>
      </header>
      <main id="content" tabIndex={-1}>
        {settings.closedAt === undefined ? (
          settings.suspendedAt !== undefined && <Suspended since={settings.suspendedAt} />
        ) : (
          <Closed since={settings.closedAt} />
        )}
        <AlertBanner />
        {children}
      </main>
    </div>
  );
}

function Closed({ since }: { readonly since: string }) {
  return (
    <div class="banner">
      <Notice kind="warning" title="This practice is closed">
        <p>
          Since <Time at={since} />, no payment link can be created or paid, and API keys are revoked. You have access
          while debits are processing; their outcomes still reach your webhooks.
        </p>
      </Notice>
    </div>
  );
}

function Suspended({ since }: { readonly since: string }) {
  return (
    <div class="banner">
      <Notice kind="warning" title="New payments are suspended">
        <p>
          Since <Time at={since} />, no payment link can be created or paid. Payments that patients have authorized go
          on, as do webhooks. To resume, ask whoever operates the payment service.
        </p>
      </Notice>
    </div>
  );
}

function Navigation() {
  const { practiceId, mode } = usePractice();
  const home = `/${practiceId}`;
  return (
    <nav aria-label="Dashboard">
      <ul>
        <Entry href={home} exact>
          Home
        </Entry>
        <Entry href={`${home}/sessions`}>Sessions</Entry>
        {mode === 'live' && <Entry href={`${home}/payouts`}>Payouts</Entry>}
        <Entry href={`${home}/deliveries`}>Webhook deliveries</Entry>
      </ul>
      <p class="nav-title" id="nav-settings">
        Settings
      </p>
      <ul aria-labelledby="nav-settings">
        <Entry href={`${home}/settings/keys`}>API keys</Entry>
        <Entry href={`${home}/settings/webhooks`}>Webhooks</Entry>
        <Entry href={`${home}/settings/practice`}>Practice</Entry>
        {mode === 'sandbox' && <Entry href={`${home}/settings/test-bank`}>Test bank</Entry>}
      </ul>
      <p class="nav-title" id="nav-people">
        People
      </p>
      <ul aria-labelledby="nav-people">
        <Entry href={`${home}/team`}>Team</Entry>
        <Entry href={`${home}/audit-log`}>Audit log</Entry>
      </ul>
      <p class="nav-title" id="nav-developers">
        Developers
      </p>
      <ul aria-labelledby="nav-developers">
        <Entry href="/docs/">Docs</Entry>
      </ul>
    </nav>
  );
}

interface EntryProps {
  readonly href: string;
  readonly exact?: boolean;
  readonly children: string;
}

function Entry({ href, exact = false, children }: EntryProps) {
  const { path } = useLocation();
  const current = path === href ? 'page' : !exact && path.startsWith(`${href}/`) ? 'true' : undefined;
  return (
    <li>
      <a href={href} aria-current={current}>
        {children}
      </a>
    </li>
  );
}

/** Shown on every screen but home, which lists what needs attention in full. */
function AlertBanner() {
  const { practiceId } = usePractice();
  const { path } = useLocation();
  return path === `/${practiceId}` ? null : <Banner />;
}

/** Shown until dismissed in this browser. A new alert shows it again. */
function Banner() {
  const { practiceId } = usePractice();
  const { loaded, reload } = useAnswer('getAlerts', { params: { practiceId } });
  const dismissed = `dismissed alerts ${practiceId}`;
  const [seen, setSeen] = useState(() => localStorage.getItem(dismissed)?.split(' ') ?? []);
  useEvery(60, true, reload);
  if (loaded.state !== 'ready') return null;
  const { endpoints, returned } = loaded.value;
  const ids = [
    ...endpoints.map(({ endpointId, status }) => `${endpointId}:${status}`),
    ...returned.map(({ sessionId }) => sessionId),
  ];
  if (ids.every((id) => seen.includes(id))) return null;
  const disabled = endpoints.filter(({ status }) => status === 'disabled').length;
  const failing = endpoints.length - disabled;
  const words = [
    failing > 0 && formatCount(failing, 'webhook endpoint is failing', 'webhook endpoints are failing'),
    disabled > 0 && formatCount(disabled, 'webhook endpoint was turned off', 'webhook endpoints were turned off'),
    returned.length > 0 && formatCount(returned.length, 'payment was returned', 'payments were returned'),
  ].filter((each) => each !== false);
  function dismiss() {
    localStorage.setItem(dismissed, ids.join(' '));
    setSeen(ids);
  }
  return (
    <div class="banner">
      <Notice kind="warning">
        <div class="banner-row">
          <p>
            {`${words.join(', ')}. `}
            <a href={`/${practiceId}`}>See what to do</a>
          </p>
          <Button kind="plain" onClick={dismiss}>
            Dismiss
          </Button>
        </div>
      </Notice>
    </div>
  );
}
