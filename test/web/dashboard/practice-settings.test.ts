import { describe, expect, test } from 'vitest';
import { useDashboardInDom } from './dashboard-in-dom.ts';
import { lakeside } from './practice-data.ts';

const on = useDashboardInDom();
const save = () => on.button('Save').click();

test('only what was changed is sent, and an emptied contact is removed', async () => {
  await on.open('/settings/practice');
  await on.page.getByLabel('Name').fill('Lakeside Dental');
  await on.page.getByLabel('Phone for patients').fill('');
  await on.page.getByLabel('Time to pay').fill('45');
  await on.page.getByLabel('Patients can ask for more time').uncheck();
  await on.page.getByLabel('One invoice is paid at most once').uncheck();
  await on.page.getByLabel('Time zone').selectOption('America/Chicago');
  await save();
  await on.page.getByText('Saved.').waitFor();
  expect(on.callsOf('changeSettings')[0]?.body).toEqual({
    name: 'Lakeside Dental',
    supportPhone: null,
    sessionLifetimeSeconds: 2700,
    extensions: false,
    invoiceGuard: false,
    timeZone: 'America/Chicago',
  });
  await on.page.getByRole('link', { name: 'Lakeside Dental' }).waitFor();

  await save();
  await on.page.getByText('Nothing has changed.').waitFor();
  expect(on.callsOf('changeSettings')).toHaveLength(1);
});

test('a number that is far too large is refused at its field, and nothing typed is lost', async () => {
  await on.open('/settings/practice');
  await on.page.getByLabel('Name').fill('Lakeside Dental');
  for (const label of ['A link works for', 'Time to pay']) await on.page.getByLabel(label).fill('100000000000');
  await save();
  await on.page.locator('.field.with-error', { hasText: 'Enter a whole number from 1 to 365.' }).waitFor();
  expect(await on.page.getByLabel('Name').inputValue()).toBe('Lakeside Dental');
  expect(on.callsOf('changeSettings')).toEqual([]);
});

test('an invalid email is refused with an example', async () => {
  await on.open('/settings/practice');
  await on.page.getByLabel('Email for patients').fill('x@y');
  await save();
  await on.page.locator('.field.with-error', { hasText: 'Enter an email address like' }).waitFor();
  expect(on.callsOf('changeSettings')).toEqual([]);
});

test('where money is live, saving needs a fresh sign-in, over which the form keeps what was typed', async () => {
  on.api.mode = 'live';
  on.api.recentSignIn = false;
  await on.open('/settings/practice');
  const months = () => on.page.getByLabel('Remove patients’ details after');
  await months().fill('1');
  await save();
  await on.expectText('This change needs a fresh sign-in.');
  await on.signInWith(on.link('Sign in again'));
  await expect.poll(() => months().inputValue()).toBe('1');
  await on.page.locator(':focus', { hasText: 'Not saved yet. Press “Save”.' }).waitFor();
  await save();
  await on.page.getByText('Saved.').waitFor();
  expect(on.callsOf('changeSettings').at(-1)?.body).toEqual({ retentionMonths: 1 });
});

test("the operator's fee is shown if one applies, and nothing if none does", async () => {
  await on.open('/settings/practice');
  expect(await on.page.getByText('Service fee').count()).toBe(0);
  const practice = on.api.practices[lakeside]!;
  practice.settings = { ...practice.settings, appliedFee: { cents: 30, basisPoints: 100 } };
  await on.open('/settings/practice');
  await on.page.getByText('Of each payment, $0.30 and 1% are for whoever operates the payment service').waitFor();
});

describe("another admin's change in the meantime", () => {
  const phone = () => on.page.getByLabel('Phone for patients');
  const changePhone = () => {
    const practice = on.api.practices[lakeside]!;
    practice.settings = { ...practice.settings, supportPhone: '+1 555 010 0199' };
  };
  const bodies = () => on.callsOf('changeSettings').map(({ body }) => body);

  test('is shown after saving, and not undone by saving again', async () => {
    await on.open('/settings/practice');
    changePhone();
    await on.page.getByLabel('A link works for').fill('8');
    await save();
    await expect.poll(() => phone().inputValue()).toBe('+1 555 010 0199');
    await on.page.getByLabel('A link works for').fill('9');
    await save();
    await expect.poll(bodies).toEqual([{ linkLifetimeDays: 8 }, { linkLifetimeDays: 9 }]);
  });

  test('is not undone by a form that waited for a sign-in', async () => {
    await on.open('/settings/practice');
    await on.page.getByLabel('A link works for').fill('8');
    on.api.signedIn = false;
    changePhone();
    await save();
    await expect.poll(() => phone().inputValue()).toBe('+1 555 010 0199');
    await save();
    await expect.poll(bodies).toEqual([{ linkLifetimeDays: 8 }]);
  });
});

test('the address and the links to its own pages are set, told with their use, and removed', async () => {
  await on.open('/settings/practice');
  const address = on.page.getByLabel('Postal address');
  const [privacy, terms] = [
    on.page.getByLabel('Link to your privacy policy'),
    on.page.getByLabel('Link to your terms'),
  ];
  const hintOf = (label: string) => on.page.locator('.field', { hasText: label }).locator('.hint').textContent();
  expect(await hintOf('Postal address')).toContain('Shown on the paper receipt.');
  expect(await hintOf('Link to your terms')).toBe('Patients see this instead of our page.');
  const own = {
    postalAddress: 'Lakeside Family Dental\n8 Harbor Road\nSpringfield, IL 62701',
    privacyUrl: 'https://lakeside.example/patients/privacy',
    termsUrl: 'https://lakeside.example/patients/terms',
  };
  await address.fill(own.postalAddress);
  await privacy.fill('lakeside.example/privacy');
  await terms.fill(own.termsUrl);
  await save();
  await on.page
    .locator('.field.with-error', { hasText: 'privacy policy' })
    .getByText('Enter a link that begins with https://.')
    .waitFor();
  expect(on.callsOf('changeSettings')).toEqual([]);

  await privacy.fill(own.privacyUrl);
  await save();
  await on.page.getByText('Saved.').waitFor();
  expect(on.callsOf('changeSettings')[0]?.body).toEqual(own);

  await address.fill(' ');
  await privacy.fill('');
  await terms.fill('');
  await save();
  await expect.poll(() => on.callsOf('changeSettings').length).toBe(2);
  expect(on.callsOf('changeSettings')[1]?.body).toEqual({ postalAddress: null, privacyUrl: null, termsUrl: null });
});

test('an invalid value is reported beside its field before it is sent', async () => {
  await on.open('/settings/practice');
  await on.page.getByLabel('Color', { exact: true }).fill('teal');
  await on.page.getByLabel('A link works for').fill('366');
  await save();
  await on.page.locator('.field', { hasText: 'Color' }).getByText('Enter a color like #0f766e.').waitFor();
  await on.page.locator('.field', { hasText: 'A link works for' }).getByText('from 1 to 365').waitFor();
  expect(on.callsOf('changeSettings')).toEqual([]);
});

test.each([
  [{ code: 'contact_required', detail: 'Give a phone number or an email address.' }, 'Phone for patients'],
  [
    {
      code: 'invalid_request',
      errors: [{ pointer: '/sessionLifetimeSeconds', code: 'out_of_range', detail: 'This is out of range.' }],
    },
    'Time to pay once the patient has opened it',
  ],
] as const)('what the service refuses is told beside its field: %j', async (refusal, label) => {
  on.api.overrides.changeSettings = () => refusal;
  await on.open('/settings/practice');
  await on.page.getByLabel('Name').fill('Lakeside Dental');
  await save();
  await expect.poll(() => on.page.getByLabel(label).getAttribute('aria-invalid')).toBe('true');
});

test('what is too long is not cut, and its limit is shown beside its field', async () => {
  await on.open('/settings/practice');
  await on.page.getByLabel('Postal address').fill('1'.repeat(201));
  await on.page.getByLabel('Link to your privacy policy').fill(`https://lakeside.example/${'x'.repeat(476)}`);
  await save();
  const errorOf = (label: string) => on.page.locator('.field.with-error', { hasText: label });
  await errorOf('Postal address').getByText('This text is too long. Use at most 200 characters.').waitFor();
  await errorOf('privacy policy').getByText('This text is too long. Use at most 500 characters.').waitFor();
  expect(on.callsOf('changeSettings')).toEqual([]);
});

test('viewers and staff see the settings without a form', async () => {
  on.api.role = 'staff';
  await on.open('/settings/practice');
  await on.page.getByText('Only admins change them.').waitFor();
  await on.page.getByText('https://lakeside.example/privacy').waitFor();
  expect(await on.page.getByText('120 Lakeside Drive').textContent()).toBe('120 Lakeside Drive\nSpringfield, IL 62701');
  expect(await on.page.locator('#content input, #content select').count()).toBe(0);
});
