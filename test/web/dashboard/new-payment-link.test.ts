import { describe, expect, test } from 'vitest';
import { useDashboardInDom } from './dashboard-in-dom.ts';
import { soon } from './dashboard-on-double.ts';
import { lakeside } from './practice-data.ts';

const on = useDashboardInDom();
const field = (label: string) => on.page.getByLabel(label, { exact: true });

async function fill() {
  await on.open('/sessions/new');
  await field('Invoice number').fill(' INV-2001 ');
  await field('Amount').fill('1,182.50');
  await field("Patient's first name").fill('Ada');
  await field('Last name').fill('Okafor');
}

describe('a new payment link', () => {
  test('is created from what people type, and shown once', async () => {
    await fill();
    await on.page.getByText('For your software (optional)').click();
    await on.button('Add a name and value').click();
    await field('Name 1').fill('location');
    await field('Value 1').fill('north');
    await on.button('Create payment link').click();
    await on.expectHeading('Payment link created');
    expect(on.sent('createSession')).toEqual([
      {
        invoiceId: 'INV-2001',
        amountCents: 118_250,
        patient: { firstName: 'Ada', lastName: 'Okafor' },
        metadata: { location: 'north' },
      },
    ]);
    await on.expectText(`https://pay.example/s/${'t'.repeat(43)}`);
    await on.link('See the payment').click();
    await on.expectHeading('Invoice INV-2001');
    expect(await on.page.content()).not.toContain('t'.repeat(43));
  });

  test('is created for a person with one name', async () => {
    await fill();
    await field("Patient's first name").fill('Suharto');
    await field('Last name').fill('');
    await on.button('Create payment link').click();
    await on.expectText('Enter the last name, or - if there is none');
    await field('Last name').fill('-');
    await on.button('Create payment link').click();
    await on.expectHeading('Payment link created');
    expect(on.sent('createSession')).toMatchObject([{ patient: { firstName: 'Suharto', lastName: '-' } }]);
  });

  test('opens in the language that people choose', async () => {
    await fill();
    await field('Language of the page').selectOption('Spanish');
    await on.button('Create payment link').click();
    await on.expectText(`https://pay.example/s/${'t'.repeat(43)}?lang=es`);
    await on.expectText('Puede pagar su factura');
    expect(await field('Language of message and slip').count()).toBe(0);
    expect(on.sent('createSession')).toMatchObject([{ invoiceId: 'INV-2001', locale: 'es' }]);
  });

  test('like one whose page is in Spanish is in Spanish, too', async () => {
    const [first] = on.api.practices[lakeside]!.sessions;
    Object.assign(first!, { locale: 'es' });
    await on.open(`/sessions/new?like=${first!.session.sessionId}`);
    expect(await field('Language of the page').inputValue()).toBe('es');
    expect(await field("Patient's first name").inputValue()).toBe('James');
    await on.button('Create payment link').click();
    await on.expectText('Puede pagar su factura');
    expect(on.sent('createSession')).toMatchObject([{ invoiceId: 'INV-1051', locale: 'es' }]);
  });

  test('comes with message and slip in the language that the staff choose, and stays the same', async () => {
    await fill();
    await on.button('Create payment link').click();
    await on.expectText('Ada Okafor, $1,182.50');
    const link = `https://pay.example/s/${'t'.repeat(43)}`;
    const message = on.page.locator('.patient-message .copy-text');
    expect(await message.textContent()).toContain(`Hello from Lakeside Family Dental.`);
    await field('Language of message and slip').selectOption('Spanish');
    await expect
      .poll(() => message.textContent(), soon)
      .toContain(`Puede pagar su factura de $1,182.50 en este enlace:\n${link}\n`);
    const text = await message.textContent();
    for (const [name, protocol] of [
      ['Text it', 'sms:'],
      ['Email it', 'mailto:'],
    ] as const) {
      const url = new URL((await on.link(name).getAttribute('href')) ?? '');
      expect(url.protocol).toBe(protocol);
      expect(url.searchParams.get('body')?.replaceAll('\r', '')).toBe(text);
    }
    const slip = on.page.locator('.slip');
    const words = await slip.innerText();
    for (const expected of ['Ada Okafor', 'Factura', 'INV-2001', '27 de noviembre de 2026', link, '(555) 010-0142'])
      expect(words).toContain(expected);
    expect(words).not.toContain('lang=');
    await slip.getByRole('img', { name: 'QR code of the payment link' }).waitFor();
  });

  test.each([
    ['open', 'INV-1051', 'This invoice already has a payment link', 'Pending', 'remind the patient'],
    ['processing', 'INV-1050', 'A payment of this invoice is in progress', 'Processing', 'only if this payment fails'],
    ['paid', 'INV-1043', 'This invoice is paid already', 'Paid', 'only if this payment fails'],
  ])(
    'for an invoice with a link that is %s says so before, leads there, and can still be created',
    async (_, ...given) => {
      const [invoiceId, title, status, advice] = given;
      await fill();
      await field('Invoice number').fill(invoiceId);
      await on.pass(1);
      const hint = on.page.locator('form [role=status]', { hasText: title });
      await hint.waitFor();
      expect(on.sent('createSession')).toEqual([]);
      expect(await hint.locator('.tag').allTextContents()).toEqual([status]);
      expect(await hint.textContent()).toContain(advice);
      const { session } = on.api.practices[lakeside]!.sessions.find((each) => each.session.invoiceId === invoiceId)!;
      expect(await hint.getByRole('link').getAttribute('href')).toBe(`/${lakeside}/sessions/${session.sessionId}`);
      expect(await hint.getByRole('link').getAttribute('target'), 'what was typed stays').toBe('_blank');
      await on.button('Create payment link').click();
      await on.expectHeading('Payment link created');
    },
  );

  test('for an invoice that may be paid more than once only says that it has other links', async () => {
    const practice = on.api.practices[lakeside]!;
    practice.settings = { ...practice.settings, invoiceGuard: false };
    await on.open('/sessions/new');
    await field('Invoice number').fill('INV-1043');
    await on.pass(1);
    const hint = on.page.locator('form [role=status]', { hasText: 'This invoice has other payment links' });
    await hint.waitFor();
    expect(await hint.textContent()).toContain('each of these links can be paid');
  });

  test('for an invoice whose other link failed, or that has none, says nothing of it, and asks once per number', async () => {
    await on.open('/sessions/new');
    const asked = () => on.callsOf('listSessions').flatMap(({ query }) => query.getAll('invoiceId'));
    for (const invoiceId of ['INV-1051', 'INV-1037', 'INV-none']) {
      // Nothing is requested, because more is typed right away.
      await field('Invoice number').fill('INV');
      await field('Invoice number').fill(invoiceId);
      await on.pass(1);
      await expect.poll(() => asked().at(-1), soon).toBe(invoiceId);
      await on.loaded();
      expect(await on.page.locator('form .notice').count(), invoiceId).toBe(invoiceId === 'INV-1051' ? 1 : 0);
    }
    expect(asked()).toEqual(['INV-1051', 'INV-1037', 'INV-none']);
  });

  test('sends nobody who types an invoice number to the sign-in', async () => {
    await on.open('/sessions/new');
    on.api.signedIn = false;
    await field('Invoice number').fill('INV-1051');
    await on.pass(1);
    await on.requests.read('invoiceId=INV-1051');
    expect([new URL(on.page.url()).pathname, on.api.signedIn]).toEqual([`/${lakeside}/sessions/new`, false]);
    expect(await field('Invoice number').inputValue()).toBe('INV-1051');
  });

  test('like one that failed says at once that the invoice has another that is open', async () => {
    const [open, , , , failed] = on.api.practices[lakeside]!.sessions;
    failed!.session = { ...failed!.session, status: 'failed', invoiceId: open!.session.invoiceId };
    await on.open(`/sessions/new?like=${failed!.session.sessionId}`);
    await on.expectText('This invoice already has a payment link');
    expect(await on.page.locator('form .notice li').count()).toBe(1);
  });

  test('for an invoice that is paid is created with a warning', async () => {
    await fill();
    await field('Invoice number').fill('INV-1043');
    await on.button('Create payment link').click();
    await on.expectText('Invoice already paid through another link');
    expect(await on.button('Print a slip').count()).toBe(0);
    expect(await on.link('Text it').count()).toBe(0);
  });

  test('without its facts names what is missing, beside each field and in a summary with the focus', async () => {
    await on.open('/sessions/new');
    await on.button('Create payment link').click();
    await on.expectText('Fix this and try again');
    expect(on.sent('createSession')).toEqual([]);
    expect(await field('Amount').getAttribute('aria-invalid')).toBe('true');
    const described = await field('Amount').getAttribute('aria-describedby');
    expect(await on.page.locator(`#${described}`).textContent()).toBe('Error: Enter the amount');
    await on.page.locator(':focus', { hasText: 'Fix this and try again' }).waitFor();
    await on.link('Enter the amount').click();
    expect(await on.page.evaluate(() => document.activeElement?.id)).toBe('payment-link-amount');
  });

  test('points out an amount that is not a number', async () => {
    await fill();
    // Each one gets different words from the one before.
    for (const [amount, words] of [
      ['12,50', 'Enter an amount like 182.50'],
      ['0', 'Enter an amount from $0.01 to $999,999.99'],
      ['12,50', 'Enter an amount like 182.50'],
      ['1000000', 'Enter an amount from $0.01 to $999,999.99'],
    ] as const) {
      await field('Amount').fill(amount);
      await on.button('Create payment link').click();
      await on.expectText(words);
    }
  });

  test('in production is for no less than the processor debits', async () => {
    on.api.mode = 'live';
    await fill();
    await field('Amount').fill('0.49');
    await on.button('Create payment link').click();
    await on.expectText('Enter an amount from $0.50 to $999,999.99');
    expect(on.sent('createSession')).toEqual([]);
  });

  test('shows what the API objects to beside its field, and keeps the rest', async () => {
    await fill();
    await on.page.getByText('For your software (optional)').click();
    await on.button('Add a name and value').click();
    await field('Name 1').fill('ssn');
    await field('Value 1').fill('x');
    await on.button('Create payment link').click();
    await expect.poll(() => field('Name 1').getAttribute('aria-invalid'), soon).toBe('true');
    await on.expectText('Do not send health or account data.');
    expect(await field('Amount').inputValue()).toBe('1,182.50');
  });

  test('is not created for the first part of a number or name that is too long', async () => {
    await fill();
    await field('Invoice number').fill('1'.repeat(129));
    await field("Patient's first name").fill('a'.repeat(101));
    await field('Last name').fill('o'.repeat(101));
    await on.button('Create payment link').click();
    await on.page.locator(':focus', { hasText: 'Fix this and try again' }).waitFor();
    expect(await on.page.locator('.field.with-error .error').allTextContents()).toEqual([
      'Error: This text is too long. Use at most 128 characters.',
      'Error: This text is too long. Use at most 100 characters.',
      'Error: This text is too long. Use at most 100 characters.',
    ]);
    expect(on.sent('createSession')).toEqual([]);
  });

  test('refuses two metadata values with the same name', async () => {
    await fill();
    await on.page.getByText('For your software (optional)').click();
    for (const [number, value] of [
      [1, 'north'],
      [2, 'south'],
    ]) {
      await on.button('Add a name and value').click();
      await field(`Name ${number}`).fill('location');
      await field(`Value ${number}`).fill(String(value));
    }
    const folded = on.page.locator('details', { hasText: 'For your software' });
    await on.page.getByText('For your software (optional)').click();
    expect(await folded.getAttribute('open')).toBeNull();
    await on.button('Create payment link').click();
    await on.link('Use each name only once').click();
    expect(await folded.getAttribute('open')).not.toBeNull();
    for (const number of [2, 1]) await on.button(`Remove name and value ${number}`).click();
    expect(await folded.getAttribute('open'), 'stays open while it is edited').not.toBeNull();
    for (const value of ['north', 'south']) {
      await on.button('Add a name and value').click();
      await field(`Name ${value === 'north' ? 1 : 2}`).fill('location');
      await field(`Value ${value === 'north' ? 1 : 2}`).fill(value);
    }
    await on.button('Create payment link').click();
    await on.page.locator('.field.with-error', { hasText: 'For your software' }).waitFor();
    expect(on.sent('createSession')).toEqual([]);
  });

  test('is created once, however often the button is pressed', async () => {
    let answer: (value?: undefined) => void = () => undefined;
    on.api.overrides.createSession = () => new Promise((resolve) => (answer = resolve));
    await fill();
    const [button] = on.button('Create payment link').elements();
    for (const _ of ['once', 'twice']) button?.click();
    await expect.poll(() => on.sent('createSession').length, soon).toBe(1);
    answer();
    await on.expectHeading('Payment link created');
    expect(on.sent('createSession')).toHaveLength(1);
  });

  test('keeps its key when it is sent again, and changed facts get another', async () => {
    const keys = () => on.requests.begun('/sessions').flatMap(({ headers }) => headers.get('idempotency-key') ?? []);
    on.api.overrides.createSession = () => 'hang_up';
    await fill();
    for (const [count, amount] of [
      [1, '10'],
      [2, '10'],
      [3, '20'],
    ] as const) {
      await field('Amount').fill(amount);
      await on.button('Create payment link').click();
      await expect.poll(() => keys().length, soon).toBe(count);
      await expect.poll(() => on.button('Create payment link').isEnabled(), soon).toBe(true);
    }
    const [first, again, changed] = keys();
    expect(first).toMatch(/^[\da-f-]{36}$/);
    expect(again).toBe(first);
    expect(changed).not.toBe(first);
  });

  test('is not for viewers', async () => {
    on.api.role = 'viewer';
    await on.open('/sessions/new');
    await on.expectText('Viewers cannot create payment links.');
    expect(await on.button('Create payment link').count()).toBe(0);
  });
});
