import { describe, expect, test } from 'vitest';
import { useDashboardInDom } from './dashboard-in-dom.ts';
import { soon } from './dashboard-on-double.ts';

const on = useDashboardInDom();

describe('a new key', () => {
  test('is shown once, with its copy button and whom to send it to', async () => {
    await on.open('/settings/keys');
    await on.button('Create key').click();
    await on.page.getByLabel('Name').fill(' Kiosk ');
    await on.page.getByLabel('Create sessions').uncheck();
    expect(await on.page.getByLabel('Manage webhook endpoints').isChecked()).toBe(false);
    await on.page.getByLabel('Expires').selectOption('In 90 days');
    await on.dialog().getByRole('button', { name: 'Create key' }).click();

    const issued = on.page.getByRole('region', { name: 'New key' });
    await issued.getByText('It will not be shown again.').waitFor();
    expect(await issued.textContent()).toContain(`pip_sandbox_kJust0000006_${'s'.repeat(43)}`);
    expect(await issued.textContent()).toContain('developer or vendor who runs your practice’s software');
    expect(await issued.textContent()).not.toContain('curl');
    expect(on.callsOf('createKey')[0]?.body).toEqual({
      name: 'Kiosk',
      scopes: ['sessions:read', 'events:read'],
      expiresInDays: 90,
    });
    await on.page.getByRole('row', { name: /Kiosk/ }).waitFor();
    await on.page.goBack();
    expect(new URL(on.page.url()).search).toBe('');
    await issued.waitFor();

    await on.open('/settings/keys');
    expect(await on.page.content()).not.toContain('sssss');
  });

  test('needs a name and something to do: both errors are beside their fields and in a summary with the focus', async () => {
    await on.open('/settings/keys?new=1');
    await on.page.getByLabel('Read sessions').uncheck();
    await on.page.getByLabel('Create sessions').uncheck();
    await on.page.getByLabel('Read events').uncheck();
    await on.dialog().getByRole('button', { name: 'Create key' }).click();

    const name = on.page.getByLabel('Name');
    expect(await name.getAttribute('aria-invalid')).toBe('true');
    const described = (await name.getAttribute('aria-describedby'))?.split(' ') ?? [];
    expect(await on.page.locator(`#${described.at(-1)}`).textContent()).toContain('Enter a name');
    await on.page.locator(':focus', { hasText: 'Choose what the key may do.' }).waitFor();
    await on.page.getByRole('link', { name: /Enter a name/ }).click();
    expect(name.elements()).toEqual(on.page.locator(':focus').elements());
    expect(on.callsOf('createKey')).toEqual([]);
  });

  test("the service's errors are beside their fields too", async () => {
    on.api.overrides.createKey = () => ({
      code: 'invalid_request',
      errors: [{ pointer: '/name', code: 'too_long', detail: 'This text is too long.' }],
    });
    await on.open('/settings/keys?new=1');
    await on.page.getByLabel('Name').fill('Kiosk');
    await on.dialog().getByRole('button', { name: 'Create key' }).click();
    await on.page.locator('.field', { hasText: 'Name' }).getByText('This text is too long.').waitFor();
  });

  test('where money is live needs a fresh sign-in, over which the form keeps what was typed', async () => {
    on.api.mode = 'live';
    on.api.recentSignIn = false;
    await on.open('/settings/keys?new=1');
    await on.page.getByLabel('Name').fill('Kiosk');
    await on.dialog().getByRole('button', { name: 'Create key' }).click();
    await on.signInWith(on.link('Sign in again'));
    await expect.poll(() => on.page.getByLabel('Name').inputValue(), soon).toBe('Kiosk');
    await on.page.locator(':focus', { hasText: 'Not saved yet. Press “Create key”.' }).waitFor();
    await on.dialog().getByRole('button', { name: 'Create key' }).click();
    await on.page.getByRole('region', { name: 'New key' }).waitFor();
  });
});

test('a new key is no longer shown once it is revoked, but stays while another one is', async () => {
  await on.open('/settings/keys?new=1');
  await on.page.getByLabel('Name').fill('Kiosk');
  await on.dialog().getByRole('button', { name: 'Create key' }).click();
  const issued = on.page.getByRole('region', { name: 'New key' });
  const ended = on.page.getByRole('table', { name: 'Inactive keys' });

  await on.button('Revoke Reporting').click();
  await on.dialog().getByRole('button', { name: 'Revoke key' }).click();
  await ended.getByText('kRead00000002').waitFor();
  expect(await issued.count()).toBe(1);

  await on.button('Revoke Kiosk').click();
  await on.dialog().getByRole('button', { name: 'Revoke key' }).click();
  await ended.getByText('kJust0000006').waitFor();
  expect(await issued.count()).toBe(0);
});

test('a rotated key ends when chosen, and the new one says when and whom to send it to', async () => {
  await on.open('/settings/keys');
  await on.button('Rotate Reporting').click();
  await on.page.getByLabel('In an hour').check();
  await on.dialog().getByRole('button', { name: 'Rotate key' }).click();
  const issued = on.page.getByRole('region', { name: 'New key' });
  await issued.getByText('Reporting').waitFor();
  expect(await issued.textContent()).toContain('The old key works until Nov 20, 2026, 11:00 AM EST.');
  expect(await issued.textContent()).toContain('developer or vendor who runs your practice’s software');
  expect(on.callsOf('rotateKey')[0]).toMatchObject({ params: { keyId: 'kRead00000002' }, body: { end: '1h' } });
});

test('a key rotated now is inactive at once, and the new one says that programs need it', async () => {
  await on.open('/settings/keys');
  await on.button('Rotate Reporting').click();
  await on.page.getByLabel('Now').check();
  await on.dialog().getByRole('button', { name: 'Rotate key' }).click();
  const issued = on.page.getByRole('region', { name: 'New key' });
  await issued.getByText('The old key no longer works.').waitFor();
  expect(await issued.textContent()).not.toContain('The old key works until');
  expect(on.callsOf('rotateKey')[0]).toMatchObject({ params: { keyId: 'kRead00000002' }, body: { end: 'now' } });
  const keys = (caption: RegExp) =>
    on.page.getByRole('table', { name: caption }).getByRole('row', { name: /Reporting/ });
  await expect
    .poll(() => keys(/^Inactive keys/).allTextContents(), soon)
    .toEqual([expect.stringContaining('kRead00000002')]);
  expect(await keys(/^Active keys/).allTextContents()).toEqual([expect.stringContaining('kJust0000006')]);
});

test('revoking names the key, warns that it is in use and asks once', async () => {
  await on.open('/settings/keys');
  await on.button('Revoke Billing system').click();
  const words = await on.dialog().textContent();
  expect(words).toContain('Revoke “Billing system”?');
  expect(words).toContain('It was used on Nov 20, 2026');
  await on.page.keyboard.press('Escape');
  await on.dialog().waitFor({ state: 'detached' });
  expect(on.callsOf('revokeKey')).toEqual([]);
  expect(on.button('Revoke Billing system').elements()).toEqual(on.page.locator(':focus').elements());

  await on.button('Revoke Billing system').click();
  await on.dialog().getByRole('button', { name: 'Revoke key' }).click();
  await on.page.getByRole('table', { name: 'Inactive keys' }).getByText('kLive00000001').waitFor();
});

test('keys that ended are listed apart, without anything to do', async () => {
  await on.open('/settings/keys');
  const ended = on.page.getByRole('table', { name: 'Inactive keys' });
  expect(await ended.getByRole('row').count()).toBe(3);
  expect(await ended.textContent()).toContain('Revoked');
  expect(await ended.textContent()).toContain('Expired');
  expect(await ended.getByRole('button').count()).toBe(0);
});

test.each(['viewer', 'staff'] as const)('a %s sees keys and changes none', async (role) => {
  on.api.role = role;
  await on.open('/settings/keys?new=1&revoke=kLive00000001');
  expect(await on.page.getByRole('row', { name: /Billing system/ }).count()).toBe(2);
  expect(await on.page.getByRole('button', { name: /Create|Rotate|Revoke/ }).count()).toBe(0);
  expect(await on.dialog().count()).toBe(0);
});
