import { describe, expect, test } from 'vitest';
import {
  formatDeadline,
  languageOf,
  linkMessage,
  mailLink,
  reminder,
  slipWords,
  smsLink,
  type Language,
} from '../../../web/dashboard/patient-words.ts';

const bill = { practice: 'Lakeside Family Dental', amountCents: 118_250, phone: '(555) 010-0142' };
const { phone: _phone, ...withoutPhone } = bill;
const link = `https://pay.lakeside.example/s/${'t-_9'.repeat(11).slice(1)}`;
const languages: readonly Language[] = ['en', 'es'];
const deadline = (language: Language) => formatDeadline('2026-11-27T15:05:00.000Z', 'America/New_York', language);

describe('a message to the patient', () => {
  test.each([
    [
      'en',
      bill,
      `Hello from Lakeside Family Dental. You can pay your bill of $1,182.50 here:\n${link}\nNot sure this is real? Call us at (555) 010-0142.`,
    ],
    [
      'es',
      bill,
      `Hola, le escribimos de Lakeside Family Dental. Puede pagar su factura de $1,182.50 en este enlace:\n${link}\n¿Duda que este mensaje sea real? Llame al (555) 010-0142.`,
    ],
    [
      'en',
      withoutPhone,
      `Hello from Lakeside Family Dental. You can pay your bill of $1,182.50 here:\n${link}\nNot sure this is real? Call the number on your bill.`,
    ],
    [
      'es',
      withoutPhone,
      `Hola, le escribimos de Lakeside Family Dental. Puede pagar su factura de $1,182.50 en este enlace:\n${link}\n¿Duda que este mensaje sea real? Llame al teléfono que aparece en su factura.`,
    ],
  ] as const)('with a link (%s, %o)', (language, of, text) => {
    expect(linkMessage(of, language, link).text).toBe(text);
  });

  test.each([
    [
      'en',
      "Hello from Lakeside Family Dental. Your bill of $1,182.50 has not been paid yet. Until November 27, 2026 at 10:05 AM EST, you can pay it with the link we sent you.\nCan't find the link, or not sure this is real? Call us at (555) 010-0142.",
    ],
    [
      'es',
      'Hola, le escribimos de Lakeside Family Dental. Su factura de $1,182.50 sigue pendiente. Hasta el 27 de noviembre de 2026 a las 10:05 a.m. EST, puede pagarla con el enlace que le enviamos.\n¿No encuentra el enlace o duda que este mensaje sea real? Llame al (555) 010-0142.',
    ],
  ] as const)('without a link, to remind them (%s)', (language, text) => {
    expect(reminder(bill, language, deadline(language)).text).toBe(text);
  });

  // GSM 03.38: with any other letter, a part has room for 67 characters instead of 153.
  test.each(languages)('fits into two parts of a text message (%s)', (language) => {
    const longest = { practice: 'N'.repeat(40), amountCents: 99_999_999, phone: '+1 (555) 010-0142 ext. 1234' };
    const until = formatDeadline('2026-09-28T04:55:00.000Z', 'Pacific/Guam', language);
    const linked = linkMessage(longest, language, `${link}?lang=${language}`);
    for (const { text } of [linked, reminder(longest, language, until), reminder(withoutPhone, language, until)]) {
      expect(text.length).toBeLessThanOrEqual(2 * 153);
      expect(text).toMatch(/^[\w\n !"#$%&'()*+,./:;<=>?@¡¿éèùìòàäöñü-]*$/);
    }
  });

  test.each([
    ['en', 'Your bill from Lakeside Family Dental'],
    ['es', 'Su factura de Lakeside Family Dental'],
  ] as const)('opens in programs of the staff without losing a character (%s)', (language, subject) => {
    const message = linkMessage({ ...bill, practice: 'A + B = 100% #1?' }, language, `${link}?lang=es`);
    expect(smsLink(message, language)).toMatch(/^sms:\?&body=/);
    expect(new URL(smsLink(message, language)).searchParams.get('body')).toBe(message.text);
    const mail = new URL(mailLink(linkMessage(bill, language, link)));
    expect(mail.pathname, 'the address is for the staff to add').toBe('');
    expect(mail.searchParams.get('subject')).toBe(subject);
    expect(mail.searchParams.get('body')?.split('\r\n')).toEqual(linkMessage(bill, language, link).text.split('\n'));
  });
});

test.each([
  ['en', 'Smith and Jones of Pier A and B'],
  ['es', 'Smith y Jones of Pier A y B'],
] as const)('a text message has no ampersand, at which some phones cut it (%s)', (language, name) => {
  const message = linkMessage({ ...bill, practice: 'Smith & Jones of Pier A&B' }, language, link);
  const body = new URL(smsLink(message, language)).searchParams.get('body');
  expect(body).toContain(name);
  expect(smsLink(message, language)).not.toContain('%26');
  expect(new URL(mailLink(message)).searchParams.get('body')).toContain('Smith & Jones');
});

test.each([
  ['', undefined],
  ['?lang=en', 'en'],
  ['?lang=es', 'es'],
  ['?lang=fr', undefined],
])('the language of a link that ends in "%s" is %s', (query, language) => {
  expect(languageOf(`${link}${query}`)).toBe(language);
});

test.each([
  ['en', /^November 27, 2026.* 10:05\sAM EST$/],
  ['es', /^27 de noviembre de 2026.* 10:05\sa\.\s?m\. EST$/],
] as const)(
  'a deadline is in the time zone of the practice and in the language of the patient (%s)',
  (language, words) => {
    expect(deadline(language)).toMatch(words);
  },
);

test('a slip has other words in each language', () => {
  const [en, es] = languages.map((language) => Object.values(slipWords(language)));
  expect(en?.filter((words) => es?.includes(words))).toEqual([]);
});
