// @module-tag browser

import { describe, expect, test } from 'vitest';
import { chooseBank, openPage } from './journey.ts';
import { soon, usePageOnDouble } from './page-on-double.ts';
import * as sessions from './sessions.ts';
import { en } from '../../web/hosted-page/texts/en.ts';
import { bankPickerEn, bankPickerEs, sandboxBankEn, sandboxBankEs } from '../../web/hosted-page/texts/banks.ts';
import { es } from '../../web/hosted-page/texts/es.ts';

describe('the page', () => {
  const on = usePageOnDouble();
  const switchTo = (name: 'Español' | 'English') => on.page.getByRole('link', { name });

  test('calls the patient API and shows amounts, times and accounts in its own language', async () => {
    await on.visit(sessions.submitted, '/s/the-token?lang=es');
    expect(await on.heading().innerText()).toBe('Pago enviado');
    expect(await on.text()).toContain('Autorizado 20 nov 2026, 10:06 a.m. EST');
    expect(await on.text()).toContain('$182.50');
    expect(await on.text()).toContain('Cuenta de origen cuenta de cheques de Sandbox Bank terminada en 6789');
    await on.visit(sessions.submitted);
    expect(on.api.calls.map(({ language }) => language)).toEqual(['es', 'en']);
  });

  test("is in the browser's language unless the link names another", async () => {
    const spanish = await openPage(on.browser, { locale: 'es-MX' });
    on.api.session = sessions.owed;
    await spanish.page.goto(`${on.api.url}/s/the-token`);
    await spanish.page.getByRole('button', { name: 'Pagar desde su cuenta bancaria' }).waitFor();
    expect(await spanish.page.evaluate(() => document.documentElement.lang)).toBe('es');
    await spanish.page.goto(`${on.api.url}/s/the-token?lang=en`);
    await spanish.page.getByRole('button', { name: 'Pay from your bank account' }).waitFor();
    await spanish.close();
  });

  test('switches at any step, keeps the language through reloads and steps, and stores nothing', async () => {
    on.api.answers.connectBank = () => sessions.connected;
    await on.visit(sessions.opened);
    await on.page.getByRole('button', { name: 'Pay from your bank account' }).click();
    await on.expectView('Choose your bank');
    await chooseBank(on.page);
    await on.expectView('Sign in to Sandbox Bank');
    await switchTo('Español').click();
    await on.expectView('Inicie sesión en');
    await on.page.reload();
    await on.expectView('Inicie sesión en');
    await on.page.getByLabel('Usuario de prueba').fill('user_good');
    await on.page.getByLabel('Contraseña de prueba').fill('test-password');
    await on.page.getByRole('button', { name: 'Iniciar sesión' }).click();
    await on.expectView('Revise y autorice');
    await on.page.reload();
    await on.expectView('Revise y autorice');
    expect(new URL(on.page.url()).search + new URL(on.page.url()).hash).toBe('?lang=es');
    await switchTo('English').click();
    await on.expectView('Review and authorize');
    expect(await on.page.evaluate(() => [localStorage.length, sessionStorage.length, document.cookie])).toEqual([
      0,
      0,
      '',
    ]);
  });

  test('goes back from a sign-in in another language to the amount due in that language', async () => {
    await on.visit(sessions.opened);
    await on.page.getByRole('button', { name: 'Pay from your bank account' }).click();
    await chooseBank(on.page);
    await switchTo('Español').click();
    await on.expectView('Inicie sesión en');
    await on.page.getByRole('button', { name: 'Elegir otro banco' }).click();
    await on.page.getByRole('button', { name: 'Volver' }).click();
    await on.expectView('Pague a Lakeside');
    expect(new URL(on.page.url()).hash).toBe('');
  });

  test.each([
    ['an unknown link', async () => on.visit(undefined, '/s/the-token?lang=es'), 'No encontramos este enlace'],
    [
      'a lost connection',
      async () => {
        on.api.answers.getSession = () => 'hang_up';
        await on.visit(sessions.owed, '/s/the-token?lang=es');
      },
      'No podemos conectarnos',
    ],
  ])('can be switched on %s', async (_, visit, heading) => {
    await visit();
    await on.expectView(heading);
    await switchTo('English').click();
    await expect.poll(() => new URL(on.page.url()).search, soon).toBe('?lang=en');
    await expect.poll(() => on.page.evaluate(() => document.documentElement.lang), soon).toBe('en');
  });

  test('can be switched without JavaScript', async () => {
    const plain = await openPage(on.browser, { javaScriptEnabled: false });
    await plain.page.goto(`${on.api.url}/s/the-token?lang=es`);
    const words = () => plain.page.locator('main').innerText();
    expect(await words()).toMatch(/Esta página necesita JavaScript.*llame al consultorio/);
    const link = plain.page.getByRole('link', { name: 'English' });
    expect([await link.getAttribute('lang'), await link.getAttribute('hreflang')]).toEqual(['en', 'en']);
    await link.click();
    await expect.poll(words, soon).toMatch(/This page needs JavaScript.*call the practice/);
    expect(await plain.page.locator('html').getAttribute('lang')).toBe('en');
    expect(await words()).not.toContain('Loading');
    expect(plain.faults).toEqual([]);
    expect(on.api.calls).toEqual([]);
    await plain.close();
  });

  test('marks the language of an authorization that was accepted in the other one', async () => {
    const { receipt } = sessions.paid;
    await on.visit({
      ...sessions.paid,
      ...(receipt && { receipt: { ...receipt, authorizationLocale: 'es', authorizationText: 'Autorizo…' } }),
    });
    await on.page.getByText('Your authorization').first().click();
    expect(await on.page.locator('.authorization').getAttribute('lang')).toBe('es');
  });
});

type Text = string | ((...values: never[]) => unknown);

function textsOf(texts: object, prefix = ''): Map<string, Text> {
  return new Map(
    Object.entries(texts).flatMap(([key, value]: [string, Text | object]) =>
      typeof value === 'object' ? [...textsOf(value, `${prefix}${key}.`)] : [[`${prefix}${key}`, value] as const],
    ),
  );
}

const spoken = (text: Text | undefined, ...values: unknown[]) =>
  String(typeof text === 'function' ? text(...(values as never[])) : text);

const same: readonly string[] = [];

describe('the texts', () => {
  const english = textsOf({ ...en, bankPicker: bankPickerEn, sandboxBank: sandboxBankEn });
  const spanish = textsOf({ ...es, bankPicker: bankPickerEs, sandboxBank: sandboxBankEs });

  test('have the same keys in both languages', () => {
    expect([...spanish.keys()].sort()).toEqual([...english.keys()].sort());
    expect(english.size).toBeGreaterThan(80);
  });

  test.each([...english.keys()])('"%s" has words and all its values in both languages', (key) => {
    const [one, other] = [english.get(key), spanish.get(key)];
    expect(typeof other).toBe(typeof one);
    if (typeof one === 'function' && typeof other === 'function') expect(other.length).toBe(one.length);
    const values = typeof one === 'function' ? Array.from({ length: one.length }, (_, index) => `value-${index}`) : [];
    for (const text of [one, other]) {
      expect(spoken(text, ...values).trim()).not.toBe('');
      for (const value of values) expect(spoken(text, ...values)).toContain(value);
    }
    if (!same.includes(key)) expect(spoken(other, ...values)).not.toBe(spoken(one, ...values));
  });

  test('count tries in the singular and the plural', () => {
    expect([1, 2].map(en.attemptsLeft)).toEqual(['You have 1 try left.', 'You have 2 tries left.']);
    expect([1, 2].map(es.attemptsLeft)).toEqual(['Le queda 1 intento.', 'Le quedan 2 intentos.']);
  });
});
