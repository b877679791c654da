import type { ComponentChildren } from 'preact';
import { useLocation } from 'preact-iso/router';
import { useLayoutEffect, useState, useId } from 'preact/hooks';
import { allows, isPlatform, usePractice, type Practice } from '../practice.ts';
import { AlertBanner, Standing } from './banners.tsx';
import { Help } from './screen.tsx';
import { UserMenu } from './user-menu.tsx';

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
