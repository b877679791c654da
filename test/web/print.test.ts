// @module-tag browser

import { extractText, getDocumentProxy } from 'unpdf';
import { describe, expect, test } from 'vitest';
import type { SessionView } from '../../functions/contract/sessions/session-view.ts';
import { anOffer } from '../support/examples.ts';
import { usePageOnDouble } from './page-on-double.ts';
import * as sessions from './sessions.ts';
import { languages, type Language } from './views-table.ts';

const on = usePageOnDouble();

const longest = {
  name: 'The Greater Lakeside Family Dentistry, Orthodontics, Periodontics and Oral and Maxillofacial Surgery Group of North Springfield, a Professional Limited Liability Company and Affiliates of the Midwest (LLC)'.slice(
    0,
    200,
  ),
  supportPhone: '+1 (555) 010-0142, extension 1234567',
  postalAddress: [
    '12345 Greater Lakeside Boulevard Northwest, Medical Arts Building',
    'Suite 1200, Floor 12, Wing B',
    'Post Office Box 123456, North Springfield, Illinois 62701-0123',
    'United States of America',
  ].join('\n'),
  supportEmail: `patient.accounts.receivable@${'greater-lakeside-family-dentistry.'.repeat(2)}example`,
  firstName: 'Maximiliana Guadalupe '.repeat(5).slice(0, 100).trim(),
  lastName: 'Featherstonehaugh-Villanueva '.repeat(5).slice(0, 100).trim(),
  invoiceId: 'INV-2026-LAKESIDE-NORTH-'.repeat(6).slice(0, 128),
  amountCents: 99_999_999,
};
const bankAccount = {
  bankName: 'First National Bank and Trust Company of the Greater Midwest',
  accountType: 'savings',
  last4: '6789',
} as const;

function atItsLongest(session: SessionView, language: Language): SessionView {
  const { name, supportPhone, supportEmail, postalAddress, invoiceId, amountCents, firstName, lastName } = longest;
  const payee = { name, supportPhone, supportEmail };
  const payerName = `${firstName} ${lastName}`;
  const authorization = anOffer(language, { invoiceId, amountCents, payee, bankAccount, payerName });
  return {
    ...session,
    invoiceId,
    amountCents,
    patient: { firstName, lastNameInitial: 'F', lastName },
    practice: { ...session.practice, name, supportPhone, supportEmail, postalAddress },
    bankAccount,
    ...(session.receipt && {
      receipt: {
        ...session.receipt,
        authorizationText: authorization.text,
        authorizationLocale: language,
        payerName,
        practice: payee,
        statementText: 'THE GREATER LAKE',
      },
    }),
  };
}

const plain = (text: string) => text.normalize('NFKC').replaceAll(/[^\p{L}\p{N}$]/gu, '');

async function printed() {
  const bytes = await on.page.pdf({ preferCSSPageSize: true, format: 'Letter' });
  const document = await getDocumentProxy(new Uint8Array(bytes));
  const page = await document.getPage(1);
  const { text } = await extractText(document, { mergePages: true });
  const [, , width, height] = page.view;
  await document.cleanup();
  return { pages: document.numPages, inches: [Number(width) / 72, Number(height) / 72], text };
}

const receipts = {
  submitted: sessions.submitted,
  paid: sessions.paid,
  failed: sessions.failed,
  returned: sessions.returned,
  cancelled: {
    ...sessions.failed,
    status: 'cancelled',
    failure: undefined,
    failedAt: undefined,
    cancelledAt: '2026-11-21T09:00:00.000Z',
    cancellation: { reason: 'requested_by_practice' },
  },
} as const satisfies Record<string, SessionView>;
const names = Object.keys(receipts) as (keyof typeof receipts)[];

/** A receipt has only the words for its own state. */
const says = {
  en: { submitted: /Submitted on/, paid: /Paid on/, failed: /Failed on/, returned: /Returned/, cancelled: /Cancelled/ },
  es: { submitted: /Enviado/, paid: /Pagado el/, failed: /Falló/, returned: /Devuelto/, cancelled: /Cancelado/ },
};

describe.each(languages)('the receipt on paper, in %s,', (language) => {
  const link = `/s/the-token?lang=${language}`;

  test.each(names)(
    'of a payment that is %s fits one US Letter page at its longest, and says its state',
    async (name) => {
      const session = atItsLongest(receipts[name], language);
      await on.visit(session, link);
      const { pages, inches, text } = await printed();
      expect(pages).toBe(1);
      expect(inches).toEqual([8.5, 11]);
      const { receipt, practice, patient } = session;
      const expected = [
        receipt?.authorizationText,
        receipt?.receiptNumber,
        practice.name,
        practice.supportPhone,
        practice.supportEmail,
        practice.postalAddress,
        session.invoiceId,
        `${patient?.firstName} ${patient?.lastName}`,
        '$999,999.99',
        bankAccount.bankName,
        bankAccount.last4,
        '2026',
        'SANDBOX',
      ];
      for (const words of expected) expect(plain(text)).toContain(plain(words ?? expect.fail('nothing to look for')));
      expect(text).toMatch(language === 'en' ? /10:06\sAM EST/ : /10:06\sa\.\s?m\. (?:EST|GMT-5)/);
      for (const other of names) {
        if (other === name) expect(text).toMatch(says[language][other]);
        else expect(text).not.toMatch(says[language][other]);
      }
      const isDebited = name === 'submitted' || name === 'paid' || name === 'returned';
      if (isDebited) expect(plain(text)).toContain(plain('THE GREATER LAKE'));
    },
  );

  test('has no controls, and the full authorization even if it is folded on the screen', async () => {
    await on.visit(sessions.paid, link);
    const pressed = (await on.page.locator('button, summary, nav a, a.language').allInnerTexts())
      .map((words) => words.trim())
      .filter(Boolean);
    expect(pressed.length).toBeGreaterThan(1);
    const { text } = await printed();
    const folded = (await on.page.locator('summary').innerText()).trim();
    for (const words of pressed.filter((each) => each !== folded)) expect(text).not.toContain(words);
    expect(text).not.toMatch(/Questions\?|preguntas/);
    expect(plain(text)).toContain(plain(sessions.paid.receipt?.authorizationText ?? ''));
    await on.page.locator('summary').click();
    const unfolded = await printed();
    expect(plain(unfolded.text).split(plain(sessions.paid.receipt?.authorizationText ?? ''))).toHaveLength(2);
  });
});

test("a right-to-left name does not turn the practice's phone number around", async () => {
  const { receipt, practice } = sessions.paid;
  const name = 'عيادة البحيرة';
  await on.visit({
    ...sessions.paid,
    practice: { ...practice, name },
    ...(receipt && { receipt: { ...receipt, practice: { ...receipt.practice, name } } }),
  });
  await on.page.emulateMedia({ media: 'print' });
  const [areaCode, lineNumber] = await on.page.locator('dd .printed').evaluate((place) => {
    const words = place.firstChild ?? place;
    return ['(555)', '0142'].map((digits) => {
      const range = document.createRange();
      const start = words.textContent?.indexOf(digits) ?? 0;
      range.setStart(words, start);
      range.setEnd(words, start + digits.length);
      return range.getBoundingClientRect().left;
    });
  });
  expect(areaCode).toBeLessThan(lineNumber ?? 0);
});

test('a live receipt has no sandbox watermark', async () => {
  await on.visit({ ...sessions.paid, sandbox: false });
  expect((await printed()).text).not.toMatch(/sandbox:|SANDBOX/);
});

test.each(['light', 'dark'] as const)('paper is white and its text black in the %s theme', async (colorScheme) => {
  await on.page.emulateMedia({ colorScheme });
  await on.visit(sessions.paid);
  await on.page.emulateMedia({ colorScheme, media: 'print' });
  const colors = await on.page.evaluate(() => {
    const grounds = [...document.querySelectorAll('html, body, #page, .card, .receipt')].map(
      (element) => getComputedStyle(element).backgroundColor,
    );
    const words = [
      ...document.querySelectorAll('.receipt dt, .receipt dd, .receipt .printed p:not(.watermark), h1, h2'),
    ].map((element) => getComputedStyle(element).color);
    return { grounds: [...new Set(grounds)], words: [...new Set(words)] };
  });
  for (const ground of colors.grounds) expect(['rgba(0, 0, 0, 0)', 'rgb(255, 255, 255)']).toContain(ground);
  expect(colors.words).toEqual(['rgb(0, 0, 0)']);
});

test('the print button prints, once', async () => {
  await on.startDocumentsWith(() =>
    Object.assign(globalThis, {
      printed: 0,
      print: () => void (globalThis as unknown as { printed: number }).printed++,
    }),
  );
  await on.visit(sessions.paid);
  await on.page.getByRole('button', { name: 'Print or save as PDF' }).click();
  expect(await on.page.evaluate(() => (globalThis as unknown as { printed: number }).printed)).toBe(1);
});

describe('in a browser that', () => {
  const buttons = () => on.page.locator('.receipt button').allInnerTexts();

  test('cannot print, no button is dead', async () => {
    await on.startDocumentsWith(() => void Reflect.set(globalThis, 'print', undefined));
    await on.visit(sessions.paid);
    expect(await buttons()).toEqual([]);
  });

  test('can share, the receipt is shared without a name, an account or the link, and cancelling is not an error', async () => {
    await on.startDocumentsWith(() => {
      Reflect.set(navigator, 'share', (data: unknown) => {
        Reflect.set(globalThis, 'shared', data);
        return Promise.reject(new DOMException('cancelled', 'AbortError'));
      });
    });
    await on.visit(sessions.paid);
    await on.page.getByRole('button', { name: 'Share' }).click();
    const shared = await on.page.evaluate(() => (globalThis as unknown as { shared: object }).shared);
    expect(shared).toEqual({
      text: 'Payment receipt\n$182.50, Lakeside Family Dental\nPaid on Nov\u00a026,\u00a02026\nReference number: RCP-4F7K2M9Q',
    });
    await on.expectView('You paid $182.50');
  });
});
