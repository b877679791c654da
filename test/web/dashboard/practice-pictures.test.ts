// @module-tag browser

import { describe, expect, test } from 'vitest';
import { parseLogo } from '../../../functions/practices/logo.ts';
import { pictures } from '../../support/pictures.ts';
import { soon, useDashboardOnDouble } from './dashboard-on-double.ts';
import { lakeside } from './practice-data.ts';

const on = useDashboardOnDouble();
const preview = () => on.page.locator('.phone .page');

describe('the preview', () => {
  test("is made of the payment page's own parts and follows what is typed", async () => {
    await on.open('/settings/practice');
    await preview().getByText('Pay Lakeside Family Dental').waitFor();
    await on.page.getByLabel('Name').fill('Uferstraße');
    await on.page.getByLabel('Color', { exact: true }).fill('#ffd700');
    await preview().getByText('Pay Uferstraße').waitFor();
    const action = preview().getByText('Pay from your bank account');
    await expect.poll(() => action.evaluate((each) => getComputedStyle(each).backgroundColor)).toBe('rgb(255, 215, 0)');
    expect(await action.evaluate((each) => getComputedStyle(each).color)).toBe('rgb(0, 0, 0)');
    await on.page.getByText('It is hard to see on light pages').waitFor();
    await on.button('Receipt').click();
    await preview().getByText('Payment receipt').waitFor();
    expect(await on.page.locator('iframe').count()).toBe(0);
  });

  test('cannot be used', async () => {
    await on.open('/settings/practice');
    await preview().getByText('Pay from your bank account').waitFor();
    await on.page.locator('.phone').focus();
    await on.page.keyboard.press('Tab');
    expect(await preview().evaluate((host) => host.shadowRoot?.activeElement ?? null)).toBeNull();
    expect(await preview().evaluate((host) => host === document.activeElement)).toBe(false);
  });
});

test('the preview says that it is a test only where no money moves', async () => {
  await on.open('/settings/practice');
  await preview().getByText('Test mode').waitFor();
  on.api.mode = 'live';
  await on.open('/settings/practice');
  await preview().getByText('Pay from your bank account').waitFor();
  expect(await preview().getByText('Test mode').count()).toBe(0);
});

test('the preview is for staff, too', async () => {
  on.api.role = 'staff';
  await on.open('/settings/practice');
  await preview().getByText('Pay from your bank account').waitFor();
});

describe('the logo', () => {
  const choose = (name: string, mimeType: string, buffer: Buffer) =>
    on.page.getByLabel('Choose a logo').setInputFiles({ name, mimeType, buffer });

  test('is saved as soon as it is chosen, and removed after a confirmation', async () => {
    await on.open('/settings/practice');
    await choose('logo.png', 'image/png', pictures.png);
    const logo = on.page.getByRole('img', { name: 'Logo of Lakeside Family Dental' });
    await expect.poll(() => logo.evaluate((image: HTMLImageElement) => image.naturalWidth), soon).toBe(40);
    expect(Buffer.from(on.callsOf('changeLogo')[0]?.body.logo ?? []).equals(pictures.png)).toBe(true);
    await preview().locator('img.logo').waitFor();
    await on.button('Remove logo').click();
    await on.dialog().getByRole('button', { name: 'Remove logo' }).click();
    await on.page.getByLabel('Choose a logo').waitFor();
  });

  test("brings along another admin's change, which saving then keeps", async () => {
    await on.open('/settings/practice');
    const practice = on.api.practices[lakeside]!;
    practice.settings = { ...practice.settings, supportPhone: '+1 555 010 0199' };
    await choose('logo.png', 'image/png', pictures.png);
    await on.button('Remove logo').waitFor();
    await on.page.getByLabel('A link works for').fill('8');
    await on.button('Save').click();
    await expect.poll(() => on.sent('changeSettings')).toEqual([{ linkLifetimeDays: 8 }]);
  });

  test.each([
    ['logo.svg', 'image/svg+xml', Buffer.from('<svg/>')],
    ['cut-off.png', 'image/png', pictures.png.subarray(0, 60)],
    ['invoice.pdf', 'application/pdf', Buffer.from('%PDF-1.7')],
    ['text.webp', 'image/webp', Buffer.from('not a picture')],
  ])('is refused in the browser if it is not a picture: %s, %s', async (name, type, bytes) => {
    await on.open('/settings/practice');
    await choose(name, type, bytes);
    const words = 'This file is not a picture that works here. Choose a PNG, JPEG or WebP picture.';
    await on.page.locator('.field.with-error', { hasText: words }).waitFor();
    expect(on.callsOf('changeLogo')).toEqual([]);
  });

  test('of any size is scaled until the service takes it, and stays transparent', async () => {
    await on.open('/settings/practice');
    const large = await on.page.evaluate(async (file) => {
      const canvas = new OffscreenCanvas(1200, 150);
      const context = canvas.getContext('2d')!;
      const noise = context.createImageData(600, 150);
      let random = 1;
      for (let at = 0; at < noise.data.length; at++) {
        random = (random * 48_271) % 2_147_483_647;
        noise.data[at] = at % 4 === 3 ? 255 : random % 256;
      }
      context.putImageData(noise, 600, 0);
      return [...new Uint8Array(await (await canvas.convertToBlob({ type: file })).arrayBuffer())];
    }, 'image/png');
    await choose('logo.png', 'image/png', Buffer.from(large));
    await on.page.getByRole('img', { name: 'Logo of Lakeside Family Dental' }).waitFor();
    const logo = parseLogo(on.callsOf('changeLogo')[0]?.body.logo ?? new Uint8Array());
    expect(logo).toMatchObject({ extension: 'png' });
    expect(logo.width / logo.height).toBeCloseTo(8, 1);
    expect(logo.width).toBeLessThanOrEqual(960);
    const alpha = await on.page.evaluate(
      async (bytes) => {
        const picture = await createImageBitmap(new Blob([new Uint8Array(bytes)]));
        const context = new OffscreenCanvas(picture.width, picture.height).getContext('2d', {
          willReadFrequently: true,
        })!;
        context.drawImage(picture, 0, 0);
        return [0, picture.width - 1].map((x) => context.getImageData(x, 0, 1, 1).data[3]);
      },
      [...logo.bytes],
    );
    expect(alpha).toEqual([0, 255]);
  });

  test("that the service refuses is reported in the service's words", async () => {
    on.api.overrides.changeLogo = () => ({ code: 'logo_not_accepted', detail: 'The logo cannot be animated.' });
    await on.open('/settings/practice');
    await choose('logo.png', 'image/png', pictures.png);
    await on.page.locator('.field.with-error', { hasText: 'The logo cannot be animated.' }).waitFor();
  });
});
