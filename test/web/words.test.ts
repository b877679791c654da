import { beforeEach, describe, expect, test, vi } from 'vitest';
import { locales } from '../../functions/domain/locale.ts';
import { elementsIn, partOf, linksIn, rendered, textOf } from './rendered-page.ts';
import * as sessions from './sessions.ts';

beforeEach(() => void vi.stubEnv('TZ', 'America/New_York'));

describe('a view', () => {
  const views: {
    readonly state: keyof typeof sessions;
    readonly heading: RegExp;
    readonly says: readonly string[];
    readonly never?: RegExp;
  }[] = [
    {
      state: 'owed',
      heading: /^Pay Lakeside Family Dental \$182\.50$/,
      says: ['INV-1043', 'Maria L.', "Once you start, you'll have 30 minutes."],
      never: /Lopez/,
    },
    { state: 'opened', heading: /Pay Lakeside/, says: ['left to finish', 'What happens next'] },
    {
      state: 'connected',
      heading: /^Review and authorize$/,
      says: [
        'Pay to Lakeside Family Dental',
        'Pay from Sandbox Bank checking account ending in 6789',
        'Debit date Nov 23, 2026 or later',
        'Maria Lopez',
        sessions.connected.authorization?.text.replaceAll('\n', ' ') ?? '',
        'Use another account',
      ],
    },
    {
      state: 'submitted',
      heading: /^Payment submitted$/,
      says: [
        'usually takes about 4 business days',
        'Open this link again to see whether it went through.',
        'RCP-4F7K2M9Q',
        'Status Processing. Submitted on Nov 20, 2026; usually takes 4 business days',
        'Nov 20, 2026, 10:06 AM EST',
      ],
      never: /\bpaid\b/i,
    },
    {
      state: 'paid',
      heading: /^You paid \$182\.50$/,
      says: [
        'RCP-4F7K2M9Q',
        'Status Paid on Nov 26, 2026',
        'Open this link again until Nov 26, 2028 to see your receipt.',
      ],
    },
    {
      state: 'returned',
      heading: /^Your bank took this payment back$/,
      says: ['There was not enough money in the account.', 'Status Returned by your bank on Dec 2, 2026'],
    },
    {
      state: 'refunded',
      heading: /^Your payment was refunded$/,
      says: [
        '$182.50 was refunded on Nov 30, 2026. This page',
        'This page is not a receipt anymore. If you have a question, contact Lakeside Family Dental.',
        'Call (555) 010-0142',
        'Status $182.50 was refunded on Nov 30, 2026.',
      ],
      never: /payment receipt|You paid|Thank you/i,
    },
    {
      state: 'partlyRefunded',
      heading: /^You paid \$182\.50$/,
      says: [
        'to see your receipt. $50.00 was refunded on Nov 30, 2026.',
        'Payment receipt',
        'Status Paid on Nov 26, 2026. $50.00 was refunded on Nov 30, 2026.',
      ],
      never: /not a receipt/,
    },
    {
      state: 'refundPending',
      heading: /^Your refund is on its way$/,
      says: [
        'A refund of $182.50 has been on its way since Nov 30, 2026. It can take up to 10 business days',
        'Status A refund of $182.50 has been on its way since Nov 30, 2026.',
      ],
      never: /payment receipt|\brefunded\b/i,
    },
    {
      state: 'failed',
      heading: /^Your payment did not go through$/,
      says: [
        'There was not enough money in the account.',
        'No money has been taken.',
        'ask Lakeside Family Dental for a new link',
        'Status Failed on Nov 24, 2026. No money was taken.',
      ],
    },
    {
      state: 'cancelled',
      heading: /^Payment no longer required$/,
      says: ["You don't need to do anything.", 'No money has been taken.', 'INV-1043'],
    },
    {
      state: 'expired',
      heading: /^This link has expired$/,
      says: ['No money has been taken.', 'Ask Lakeside Family Dental for a new link', 'Ask for a new link'],
    },
    {
      state: 'linkRequested',
      heading: /^We told Lakeside Family Dental$/,
      says: [
        'No money has been taken.',
        'They know that you need a new link to pay.',
        'contact Lakeside Family Dental',
      ],
      never: /Ask for a new link|expired/,
    },
    {
      state: 'scrubbed',
      heading: /^The details of this payment were removed$/,
      says: ['ask Lakeside Family Dental', 'Call (555) 010-0142', 'Write to billing@lakeside.example'],
      never: /Maria|INV-1043|182/,
    },
    { state: 'alreadyPaid', heading: /^This invoice is already paid$/, says: ["You won't be charged", '$182.50'] },
    {
      state: 'inProgress',
      heading: /^A payment for this invoice is already in progress$/,
      says: ['Another payment for this invoice is being processed.', '$182.50'],
      never: /nothing/i,
    },
    {
      state: 'suspended',
      heading: /^You cannot pay here right now$/,
      says: ['Ask Lakeside Family Dental for another way to pay.', 'No money has been taken.'],
    },
    {
      state: 'locked',
      heading: /^Too many sign-in attempts$/,
      says: ['Ask Lakeside Family Dental for a new link or another way to pay.', 'No money has been taken.'],
    },
  ];

  test('is listed here for every state', () => {
    expect(views.map(({ state }) => state).sort()).toEqual(Object.keys(sessions).sort());
  });

  test.each(views)('says what it must for $state', async ({ state, heading: expectedHeading, says, never }) => {
    const { heading, text } = await rendered(sessions[state]);
    expect(heading).toMatch(expectedHeading);
    for (const words of ['Test mode: no money will move', 'Lakeside Family Dental', '(555) 010-0142', ...says])
      expect(text).toContain(words);
    if (never) expect(text).not.toMatch(never);
  });

  test('offers to ask for a new link only where the practice can be told', async () => {
    const { linkRequest: _, ...suspended } = sessions.expired;
    expect((await rendered(suspended)).text).not.toContain('Ask for a new link');
  });

  test('names a patient with one name', async () => {
    const patient = { firstName: 'Suharto', lastNameInitial: '' };
    for (const session of [
      { ...sessions.owed, patient },
      { ...sessions.connected, patient: { ...patient, lastName: '' } },
      { ...sessions.submitted, patient: { ...patient, lastName: '' } },
    ])
      expect((await rendered(session)).text).toMatch(/Patient:? ?Suharto (?!\.|-)/);
  });

  test('of a live session has no sandbox banner', async () => {
    expect((await rendered({ ...sessions.owed, sandbox: false })).text).not.toMatch(/sandbox|test mode/i);
  });

  test.each([
    'owed',
    'connected',
    'locked',
    'expired',
    'linkRequested',
    'suspended',
    'returned',
    'refunded',
    'refundPending',
    'failed',
    'scrubbed',
  ] as const)('of a session that is %s has one link to call', async (state) => {
    const { links } = await rendered(sessions[state]);
    // Holds even if the browser does not understand a style.
    expect(links.filter(({ href }) => href?.startsWith('tel:'))).toHaveLength(1);
  });
});

describe('the page says who runs it, and links', () => {
  const rel = 'noopener noreferrer';
  const practice = {
    ...sessions.owed.practice,
    privacyUrl: 'https://lakeside.example/privacy',
    termsUrl: 'https://lakeside.example/terms?of=payment',
  };
  const imprintOf = async (...[session, options]: Parameters<typeof rendered>) =>
    linksIn(partOf((await rendered(session, options)).html, /<p class="imprint">.*?<\/p>/));

  test('to the default pages', async () => {
    expect((await rendered(sessions.owed)).text).toContain(
      'A payment service runs this page for Lakeside Family Dental. 1 Harbor Road, Salem, MA 01970',
    );
    expect(await imprintOf(sessions.owed)).toEqual([
      { words: 'Privacy policy', href: '/privacy?lang=en', rel },
      { words: 'Terms', href: '/terms?lang=en', rel },
      { words: 'Accessibility', href: '/accessibility?lang=en', rel },
    ]);
  });

  test.each([
    ['en', "The practice's privacy policy", "The practice's terms", 'Accessibility'],
    ['es', 'Privacidad del consultorio', 'Términos del consultorio', 'Accesibilidad'],
  ] as const)(
    "to the practice's own where it has them, and says that they are (%s)",
    async (language, privacy, terms, ours) => {
      expect(await imprintOf({ ...sessions.owed, practice }, { language })).toEqual([
        { words: privacy, href: practice.privacyUrl, rel },
        { words: terms, href: practice.termsUrl, rel },
        { words: ours, href: `/accessibility?lang=${language}`, rel },
      ]);
    },
  );

  test("to one of the practice's and one of ours", async () => {
    const { termsUrl } = practice;
    const links = await imprintOf({ ...sessions.paid, practice: { ...sessions.paid.practice, termsUrl } });
    expect(links.map(({ words }) => words)).toEqual(['Privacy policy', "The practice's terms", 'Accessibility']);
  });
});

describe("the practice's contact", () => {
  test.each([
    [
      { supportPhone: '(555) 010-0142 x12', supportPhoneUri: 'tel:5550100142;ext=12' },
      'Questions? Call (555) 010-0142 x12',
      ['tel:5550100142;ext=12'],
    ],
    [{ supportPhone: '(((((((' }, 'Questions? Call (((((((', []],
    [
      { supportPhone: '555.010.0142', supportPhoneUri: 'tel:5550100142', supportEmail: 'b@lakeside.example' },
      'Questions? Call 555.010.0142 or write to b@lakeside.example',
      ['tel:5550100142', 'mailto:b@lakeside.example'],
    ],
    [{ supportEmail: 'b@lakeside.example' }, 'Questions? Write to b@lakeside.example', ['mailto:b@lakeside.example']],
    [{}, 'Questions? Call the number on your bill.', []],
  ])('%o is shown with its links', async (contact, says, hrefs) => {
    const { name, primaryColor } = sessions.owed.practice;
    const { html } = await rendered({ ...sessions.paid, practice: { name, primaryColor, ...contact } });
    const sentence = partOf(html, /(?<=<footer>)<p>.*?<\/p>/);
    expect(textOf(sentence)).toBe(says);
    expect(linksIn(sentence).map(({ href }) => href)).toEqual(hrefs);
  });
});

describe('the link back to the practice', () => {
  const returnUrl = 'https://lakeside.example/bills?from=payment&to=home';
  const linkOf = async (...[session, options]: Parameters<typeof rendered>) =>
    (await rendered(session, options)).links.find(({ rel }) => rel === 'noreferrer');

  test.each([
    'submitted',
    'paid',
    'returned',
    'failed',
    'cancelled',
    'expired',
    'alreadyPaid',
    'inProgress',
    'suspended',
    'locked',
  ] as const)('is a plain link on the view "%s"', async (name) => {
    const words = 'Return to Lakeside Family Dental';
    expect(await linkOf({ ...sessions[name], returnUrl }), 'nothing is added').toMatchObject({
      words,
      href: returnUrl,
    });
    expect(await linkOf(sessions[name]), 'without an address').toBeUndefined();
  });

  test.each(['owed', 'opened', 'connected'] as const)('is not on the view "%s"', async (name) => {
    expect(await linkOf({ ...sessions[name], returnUrl })).toBeUndefined();
  });

  test('is in the language of the page', async () => {
    const link = await linkOf({ ...sessions.paid, returnUrl }, { language: 'es' });
    expect(link?.words).toBe('Volver a Lakeside Family Dental');
  });
});

describe('on a live page, Stripe is named as who connects the bank', () => {
  const paid = { ...sessions.paid, sandbox: false };
  const opened = { ...sessions.opened, sandbox: false };

  test.each([
    [
      'en',
      'Stripe, a payment company, connects your bank. You sign in with your bank. We never see your username or password.',
      ["Stripe's terms", "Stripe's privacy policy"],
    ],
    [
      'es',
      'Stripe, una empresa de pagos, conecta su banco. Usted inicia sesión con su banco. Nunca vemos su usuario ni su contraseña.',
      ['Términos de Stripe', 'Política de privacidad de Stripe'],
    ],
  ] as const)('with its terms and privacy page (%s)', async (language, words, [terms, privacy]) => {
    const { text, links } = await rendered(opened, { language, mode: 'live' });
    expect(text).toContain(words);
    expect(links).toMatchObject(
      expect.arrayContaining([
        expect.objectContaining({ words: terms, href: 'https://stripe.com/legal/end-users' }),
        expect.objectContaining({ words: privacy, href: 'https://stripe.com/privacy' }),
      ]),
    );
  });

  test.each(locales)('and no longer once it is connected (%s)', async (language) => {
    expect((await rendered(paid, { language, mode: 'live' })).text).not.toContain('Stripe');
  });
});

// Makes it unnecessary for axe to inspect both.
describe('both languages have the same elements', () => {
  const views = [
    ...Object.entries(sessions).map(([name, session]) => ({ name, session })),
    { name: 'the banks', session: sessions.opened, bankStep: 'banks' as const },
    { name: 'the sign-in', session: sessions.opened, bankStep: 'sandbox_bank' as const },
    { name: 'a refused sign-in', session: sessions.opened, bankStep: 'sandbox_bank', notice: 'bank_connection_failed' },
    { name: 'a lost payment', session: sessions.connected, notice: 'checking_payment' },
    { name: 'a new text', session: sessions.connected, notice: 'authorization_changed' },
  ] as const;

  test.each(views)('on $name', async ({ session, ...state }) => {
    const [english = [], spanish] = await Promise.all(
      locales.map(async (language) => elementsIn((await rendered(session, { language, ...state })).html)),
    );
    expect(english.length).toBeGreaterThan(10);
    expect(spanish).toEqual(english);
  });
});
