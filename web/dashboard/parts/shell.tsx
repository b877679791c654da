import type { ComponentChildren } from 'preact';
import { useLocation } from 'preact-iso/router';
import { useLayoutEffect, useState, useId } from 'preact/hooks';
import { allows, isPlatform, usePractice, useSettings, type Practice } from '../practice.ts';
import { Notice } from './notice.tsx';
import { Time } from './facts.tsx';
import { Help } from './screen.tsx';
import { UserMenu } from './user-menu.tsx';
import { formatCount } from '../format.ts';
import { useAnswer } from '../use-answer.ts';
import { useEvery } from '../use-every.ts';
import { Button } from './button.tsx';

export function Shell({ children }: { readonly children: ComponentChildren }) {
  const practice = usePractice();
  const { name, mode, practiceId, platform, me } = practice;
  const hasSettings = !isPlatform(practice);
  const { path } = useLocation();
  const several = me.practices.length + me.platforms.length > 1;
  const others = platform ? `/${platform.platformId}` : several ? '/' : undefined;
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
            {platform && <span class="acting">for {platform.name}</span>}
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
          {others !== undefined && (
            <a class="switch" href={others}>
              Switch practice
            </a>
          )}
          <Navigation />
          <UserMenu />
        </div>
      </header>
      <main id="content" tabIndex={-1}>
        {hasSettings && <Standing />}
        {/* Home lists in full what needs attention. */}
        {hasSettings && path !== `/${practiceId}` && <AlertBanner />}
        {children}
        <Help />
      </main>
    </div>
  );
}

/** Why patients cannot pay, or soon cannot. */
function Standing() {
  const { closedAt, suspendedAt, debitsStoppedAt, depositDeadline } = useSettings().settings;
  const since = closedAt ?? suspendedAt;
  if (since === undefined && debitsStoppedAt !== undefined)
    return (
      <FromStripe title="Patients cannot pay right now">
        Since <Time at={debitsStoppedAt} />, Stripe takes no payments for this practice. Links that you make or have
        made say that patients cannot pay right now, until Stripe goes on.
      </FromStripe>
    );
  if (since === undefined)
    return depositDeadline ? (
      <FromStripe title="Stripe needs something">
        If it does not get it by <Time at={depositDeadline.at} />, patients cannot pay.
      </FromStripe>
    ) : null;
  return (
    <Notice
      banner
      kind="warning"
      title={closedAt === undefined ? 'New payments are suspended' : 'This practice is closed'}
    >
      <p>
        Since <Time at={since} />, no payment link can be created or paid
        {closedAt === undefined
          ? '. Payments that patients have authorized go on. To resume, ask whoever operates the payment service.'
          : ', and your software can make no links. You have access while payments are processing; their outcomes appear here.'}
      </p>
    </Notice>
  );
}

function FromStripe({ title, children }: { readonly title: string; readonly children: ComponentChildren }) {
  const { practiceId } = usePractice();
  return (
    <Notice banner kind="warning" title={title}>
      <p>
        {children} <a href={`/${practiceId}/settings/practice`}>See what Stripe needs</a>
      </p>
    </Notice>
  );
}

function Navigation() {
  const practice = usePractice();
  const { practiceId, mode } = practice;
  const home = `/${practiceId}`;
  return (
    <nav aria-label="Dashboard">
      {isPlatform(practice) ? (
        <Entries>
          <Entry href={home} exact>
            Practices
          </Entry>
        </Entries>
      ) : (
        <>
          <Entries>
            <Entry href={home} exact>
              Home
            </Entry>
            <Entry href={`${home}/sessions`}>Payments</Entry>
            {mode === 'live' && <Entry href={`${home}/payouts`}>Payouts</Entry>}
            <Entry href="/docs/front-desk">Help</Entry>
          </Entries>
          <Entries title="Settings">
            <Entry href={`${home}/settings/practice`}>Practice</Entry>
            {mode === 'sandbox' && <Entry href={`${home}/settings/test-bank`}>Test bank</Entry>}
          </Entries>
        </>
      )}
      <Entries title="People">
        <Entry href={`${home}/team`}>Team</Entry>
        <Entry href={`${home}/audit-log`}>Audit log</Entry>
      </Entries>
      {isForDevelopers(practice) && (
        <Entries title="Developers">
          <Entry href={`${home}/settings/keys`}>API keys</Entry>
          <Entry href={`${home}/settings/webhooks`}>Webhooks</Entry>
          <Entry href={`${home}/deliveries`}>Webhook deliveries</Entry>
          <Entry href="/docs/">Docs</Entry>
        </Entries>
      )}
    </nav>
  );
}

/** Only admins set up a practice's software, and a platform's members are its developers and their support. */
function isForDevelopers(practice: Practice): boolean {
  return allows(practice.role, 'admin') || practice.platform !== undefined || isPlatform(practice);
}

function Entries({ title, children }: { readonly title?: string; readonly children: ComponentChildren }) {
  const id = useId();
  if (title === undefined) return <ul>{children}</ul>;
  return (
    <>
      <p class="nav-title" id={id}>
        {title}
      </p>
      <ul aria-labelledby={id}>{children}</ul>
    </>
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

/** Shown until dismissed in this browser. A new alert shows it again. */
function AlertBanner() {
  const { practiceId } = usePractice();
  const { value, reload } = useAnswer('getAlerts', { params: { practiceId } });
  const dismissed = `dismissed alerts ${practiceId}`;
  const [seen, setSeen] = useState(() => localStorage.getItem(dismissed)?.split(' ') ?? []);
  useEvery(60, true, reload);
  if (!value) return null;
  const { endpoints, returned, refundFailed } = value;
  const ids = [
    ...endpoints.map(({ endpointId, status }) => `${endpointId}:${status}`),
    ...returned.map(({ sessionId }) => sessionId),
    ...refundFailed.map(({ sessionId, refund }) => `${sessionId}:${refund?.failedCents}`),
  ];
  if (ids.every((id) => seen.includes(id))) return null;
  const disabled = endpoints.filter(({ status }) => status === 'disabled').length;
  const failing = endpoints.length - disabled;
  const words = [
    returned.length > 0 && formatCount(returned.length, 'payment was returned', 'payments were returned'),
    refundFailed.length > 0 && formatCount(refundFailed.length, 'refund failed', 'refunds failed'),
    failing > 0 && formatCount(failing, 'connection to your software fails', 'connections to your software fail'),
    disabled > 0 &&
      formatCount(
        disabled,
        'connection to your software was turned off',
        'connections to your software were turned off',
      ),
  ].filter((each) => each !== false);
  function dismiss() {
    localStorage.setItem(dismissed, ids.join(' '));
    setSeen(ids);
  }
  return (
    <Notice banner kind="warning">
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
  );
}
