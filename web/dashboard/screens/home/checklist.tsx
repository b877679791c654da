import type { Home } from '../../../../functions/contract/team/dashboard-home.ts';
import { Panel } from '../../parts/screen.tsx';
import { allows, usePractice, type Practice, type Role } from '../../practice.ts';

export type Done = Home['checklist'];

interface Step {
  readonly name: keyof Done;
  readonly title: string;
  readonly why: string;
  /** A path below the practice's. */
  readonly page: string;
  readonly action: string;
  /** Who can do it. If absent, only admins. */
  readonly role?: Role;
  /** Set for a step that only practices whose software makes the links need. */
  readonly optional?: true;
  /** A platform's members cannot do it for the practice. */
  readonly ownMembersOnly?: true;
}

function steps(mode: Practice['mode']): readonly Step[] {
  const [contact, branding]: readonly [Step, Step] = [
    {
      name: 'contact',
      title: 'Tell patients how to reach you',
      why: 'A phone number or email address, shown on the payment page and in the authorization.',
      page: '/settings/practice',
      action: 'Add a contact',
    },
    {
      name: 'branding',
      title: 'Make the payment page yours',
      why: 'Your logo and color tell patients that the page is yours.',
      page: '/settings/practice',
      action: 'Choose logo and color',
    },
  ];
  if (mode === 'live')
    return [
      {
        name: 'terms',
        title: 'Accept the terms',
        why: 'What you and whoever runs this service owe each other.',
        page: '/settings/practice',
        action: 'Read the terms',
        ownMembersOnly: true,
      },
      {
        name: 'deposit',
        title: 'Set up where payments are deposited',
        why: 'Your bank account, entered at Stripe, who checks it. Have your tax ID at hand.',
        page: '/settings/practice',
        action: 'Set up deposits',
        ownMembersOnly: true,
      },
      contact,
      branding,
      {
        name: 'session',
        title: 'Send the first payment link',
        why: 'Make it here and send it to a patient. It needs the steps above.',
        page: '/sessions/new',
        action: 'New payment link',
        role: 'staff',
      },
      {
        name: 'paidSession',
        title: 'Get the first payment',
        why: 'Banks take a few business days.',
        page: '/sessions',
        action: 'See payments',
        role: 'viewer',
      },
      ...stepsOfSoftware(mode),
    ];
  return [
    branding,
    contact,
    {
      name: 'session',
      title: 'Create a test payment link',
      why: 'Any invoice number and amount will do. No money moves.',
      page: '/sessions/new',
      action: 'New payment link',
      role: 'staff',
    },
    {
      name: 'paidSession',
      title: 'Pay it as a patient',
      why: 'Open the link, sign in to the test bank as user_good and authorize. The test bank pays within seconds.',
      page: '/settings/test-bank',
      action: 'See the password',
      role: 'viewer',
    },
    ...stepsOfSoftware(mode),
  ];
}

/** A live key needs an endpoint that has received an event. */
function stepsOfSoftware(mode: Practice['mode']): readonly Step[] {
  const key: Step = {
    name: 'apiKey',
    title: 'For your software: create an API key',
    why: 'Your software creates payment links with it.',
    page: '/settings/keys',
    action: 'Create a key',
    ownMembersOnly: true,
    optional: true,
  };
  const endpoint: readonly Step[] = [
    {
      name: 'webhookEndpoint',
      title: 'For your software: add a webhook endpoint',
      why: 'It tells your software about every payment.',
      page: '/settings/webhooks',
      action: 'Add an endpoint',
      ownMembersOnly: true,
      optional: true,
    },
    {
      name: 'webhookDelivered',
      title: 'For your software: receive a test event',
      why: 'Shows that your endpoint answers and verifies the signature.',
      page: '/settings/webhooks',
      action: 'Send a test event',
      optional: true,
    },
  ];
  if (mode === 'sandbox') return [key, ...endpoint];
  return [...endpoint, { ...key, why: `${key.why} It needs a test event, and the first four steps.` }];
}

export function isSetUp(done: Done, mode: Practice['mode']): boolean {
  return steps(mode).every(({ name, optional }) => done[name] || optional);
}

function whoDoes({ role, ownMembersOnly }: Step, isActing: boolean): string {
  if (ownMembersOnly && isActing) return 'An admin of the practice does this.';
  return role === undefined ? 'An admin does this.' : 'Staff or an admin does this.';
}

/** Shows all steps to a new practice, and later the steps that are left. */
export function Checklist({ done }: { readonly done: Done }) {
  const { mode, practiceId, role, platform } = usePractice();
  const mayDo = (step: Step) => allows(role, step.role ?? 'admin') && !(step.ownMembersOnly && platform);
  const all = steps(mode);
  const needed = all.filter(({ optional }) => !optional);
  const shown = done.paidSession ? needed.filter(({ name }) => !done[name]) : all;
  const next = needed.find((step) => !done[step.name] && mayDo(step));
  const count = needed.filter(({ name }) => done[name]).length;
  const title = done.paidSession
    ? 'Finish setting up'
    : mode === 'live'
      ? 'Go live'
      : 'From here to your first paid test invoice';
  return (
    <Panel title={title} note={`${count} of ${needed.length} steps done`}>
      <ol class="checklist">
        {shown.map((step) => (
          <li key={step.name} class={done[step.name] ? 'done' : undefined}>
            <span class="tick" aria-hidden="true" />
            <div>
              <p class="step-title">
                {step.title}
                {done[step.name] && <span class="hidden"> (done)</span>}
              </p>
              {!done[step.name] && <p class="quiet">{step.why}</p>}
            </div>
            {!done[step.name] &&
              (mayDo(step) ? (
                <a class={step === next ? 'button primary' : 'button secondary'} href={`/${practiceId}${step.page}`}>
                  {step.action}
                </a>
              ) : (
                <p class="quiet">{whoDoes(step, platform !== undefined)}</p>
              ))}
          </li>
        ))}
      </ol>
    </Panel>
  );
}
