import { describe, expect, it } from 'vitest';
import {
  authorizationTemplates,
  currentAuthorizationTemplate,
  type Terms,
  offeredById,
  offeredIn,
} from '../../../functions/domain/payments/authorization.ts';
import { sha256 } from '../../../functions/domain/identifier.ts';
import { locales, type Locale } from '../../../functions/domain/locale.ts';
import { payeeOf, statementDescriptor } from '../../../functions/domain/practices/practice.ts';
import type { Session } from '../../../functions/domain/sessions/session.ts';
import { aBankAccount, aBankConnection, anOffer, aPractice, aSession } from '../../support/examples.ts';

const checking = { bankName: 'Sandbox Bank', accountType: 'checking', last4: '6789' } as const;
const plain: Terms = {
  amountCents: 18_250,
  invoiceId: 'INV-1043',
  payee: {
    name: 'Lakeside Family Practice',
    supportPhone: '+1 555 010 0100',
    supportEmail: 'billing@lakeside.example',
  },
  account: checking,
  payerName: 'Ada Okafor',
  authorizedOn: '2026-11-20',
  debitDate: '2026-11-23',
};

const terms = {
  plain,
  'only a phone number': { ...plain, payee: { name: 'Lakeside Family Practice', supportPhone: '+1 555 010 0100' } },
  'only an email address': {
    ...plain,
    payee: { name: 'Dr. Peña & Söhne', supportEmail: 'a@b.example' },
    amountCents: 99_999_999,
  },
  'no contact': { ...plain, payee: { name: 'Lakeside' }, amountCents: 50, invoiceId: 'Nº 7/2' },
  'a savings account': {
    ...plain,
    account: { ...checking, accountType: 'savings' },
    debitDate: '2027-07-01',
  },
} as const satisfies Record<string, Terms>;

type Ids = Readonly<Record<keyof typeof terms, Readonly<Record<Locale, string>>>>;

/** The IDs of the texts, by version. They never change for a released version: add the next version's. */
const releasedAuthorizations: Readonly<Record<string, Ids>> = {
  '2026-11-25.1': {
    plain: {
      en: 'l3fUkBN6Cxcp938ABKxbEeGn_ghzt1YRimlWNj1BpfA',
      es: '0ahy62YugoOcCR5RjdMWDDxB7EBIkZZVoc9STmgXXrk',
    },
    'only a phone number': {
      en: 'uZ9AKZI9fT8g-pOOFoUNk7cdh76AL3_2gawhEwhE_SQ',
      es: 'SdEu-ebBaKcoEr9FjMlAvjVxAAgtRBkkZzp-oFTJAvE',
    },
    'only an email address': {
      en: 'XU3o5JYP-GM-g4AO5p-t-yA_NAQcPZ86X3QWbltQKZg',
      es: 'qfIFU2Xo53uuZvj5kosqKlrkjg7Vy0RzroCkO1yP83k',
    },
    'no contact': {
      en: '5zLahOTbryRJUsL1YLxvfgx-bHBpEJpSTJG_L0zvnig',
      es: 'gQ1AZBphNat7uGD-LSbeMBz9FtqBT0gr33gZLN8I2lQ',
    },
    'a savings account': {
      en: 'BUUYhXoDbPjUPJy07xgCCX5VFZ9WOX5IQRnt_4-GRQI',
      es: 'hQgNvx92n-csFgA8l4ZQvf3KVN8tFU48gBRPMs2byaE',
    },
  },
};

const payee = payeeOf(aPractice({ supportEmail: 'billing@example.com' }));
const rendered = both({ payee });

function both(differences: Partial<Session> = {}) {
  return { en: anOffer('en', differences), es: anOffer('es', differences) };
}

describe('the authorization text', () => {
  it.each(locales)('in %s names the practice, the amount, the invoice, the account and the contact', (locale) => {
    for (const part of [
      'Lakeside Family Practice',
      '$182.50',
      'INV-1043',
      'Sandbox Bank',
      '6789',
      '+1 555 010 0100',
      'billing@example.com',
    ]) {
      expect(rendered[locale].text).toContain(part);
    }
  });

  it.each([
    [
      'en',
      [
        'electronically debit',
        'once, for $182.50',
        'checking account',
        'on or after November 23, 2026',
        'correct an erroneous debit',
        'owner or authorized signer',
        'revoke this authorization',
        'returned unpaid, I still owe',
      ],
    ],
    [
      'es',
      [
        'debitar electrónicamente',
        'una sola vez, la cantidad de $182.50',
        'cuenta de cheques en Sandbox Bank',
        'el 23 de noviembre de 2026 o después',
        'corregir un débito erróneo',
        'titular de esta cuenta o tengo autorización para firmar',
        'revocar esta autorización',
        'devuelve el débito sin pagarlo, seguiré debiendo',
      ],
    ],
  ] as const)('in %s has every required statement', (locale, elements) => {
    for (const element of elements) expect(rendered[locale].text).toContain(element);
  });

  it.each([
    [{ supportPhone: '+1 555 010 0100' }, 'by calling +1 555 010 0100 before', 'llamando al +1 555 010 0100 antes'],
    [
      { supportPhone: undefined, supportEmail: 'a@b.example' },
      'by writing to a@b.example before',
      'escribiendo a a@b.example antes',
    ],
    [
      { supportEmail: 'a@b.example' },
      'by calling +1 555 010 0100 or writing to a@b.example before',
      'llamando al +1 555 010 0100 o escribiendo a a@b.example antes',
    ],
    [{ supportPhone: undefined }, 'by contacting the practice before', 'comunicándome con el consultorio antes'],
  ])('says how to revoke for %j', (contact, en, es) => {
    const { supportPhone, ...practice } = { ...aPractice(), ...contact };
    const texts = both({ payee: { ...practice, ...(supportPhone && { supportPhone }) } });
    expect(texts.en.text).toContain(en);
    expect(texts.es.text).toContain(es);
  });

  it.each([
    ['2026-11-24T04:59:59.999Z', 'on or after November 24, 2026,', ' el 24 de noviembre de 2026 o después,'],
    ['2026-11-24T05:00:00.000Z', 'on or after November 25, 2026,', ' el 25 de noviembre de 2026 o después,'],
    ['2026-07-01T03:59:59.999Z', 'on or after July 1, 2026,', ' el 1 de julio de 2026 o después,'],
  ])('that is read at %s has the next banking day, in US Eastern time', (time, en, es) => {
    const texts = { en: anOffer('en', {}, time), es: anOffer('es', {}, time) };
    expect(texts.en.text).toContain(en);
    expect(texts.es.text).toContain(es);
  });

  it('has a line for each thing that it says', () => {
    for (const locale of locales) expect(rendered[locale].text.split('\n')).toHaveLength(5);
  });

  it.each(locales)('in %s names who pays: the patient, or whoever was named instead', (locale) => {
    expect(rendered[locale].text).toContain('Ada Okafor');
    const { text } = both({ payerName: 'Grace Okafor-Peña' })[locale];
    expect(text).toContain('Grace Okafor-Peña');
    expect(text).not.toContain('Ada');
  });

  it.each([
    ['2026-11-24T04:59:59.999Z', 'Date: November 23, 2026 (US Eastern time)', 'Fecha: 23 de noviembre de 2026 (hora'],
    ['2026-11-24T05:00:00.000Z', 'Date: November 24, 2026 (US Eastern time)', 'Fecha: 24 de noviembre de 2026 (hora'],
  ])('that is accepted at %s has that day, in US Eastern time', (time, en, es) => {
    expect(anOffer('en', {}, time).text).toContain(en);
    expect(anOffer('es', {}, time).text).toContain(es);
  });

  it('names a savings account in both languages', () => {
    const { en, es } = both({ bankAccount: { ...aBankAccount, accountType: 'savings' } });
    expect([en.text, es.text]).toEqual([
      expect.stringContaining('my savings account'),
      expect.stringContaining('mi cuenta de ahorros'),
    ]);
  });

  it('has its hash as id, so another language, amount, account or payer has another id', () => {
    for (const locale of locales)
      expect(rendered[locale]).toMatchObject({
        id: sha256(rendered[locale].text),
        locale,
        templateVersion: `${currentAuthorizationTemplate}.${locale}`,
      });
    const others = [
      both({ payee, amountCents: 18_251 }),
      both({ payee, bankAccount: { ...aBankAccount, last4: '1111' } }),
      both({ payee, payerName: 'Grace Okafor' }),
    ];
    const ids = [rendered, ...others].flatMap(({ en, es }) => [en.id, es.id]);
    expect(new Set(ids).size).toBe(ids.length);
  });
});

describe('an offer', () => {
  const session = aSession({ ...aBankConnection, payee });
  const now = Date.parse(aBankConnection.bankConnectedAt);

  it('is rendered in the requested language and found by either id', () => {
    for (const locale of locales) {
      expect(offeredIn(session, locale, now)).toEqual(rendered[locale]);
      expect(offeredById(session, rendered[locale].id, now)).toEqual(rendered[locale]);
    }
    expect(offeredById(session, 'another', now)).toBeUndefined();
  });

  it('is another one once its debit date has passed midnight in New York', () => {
    const midnight = Date.parse('2026-11-24T05:00:00.000Z');
    const late = offeredIn(session, 'en', midnight - 1) ?? expect.fail('nothing is offered');
    expect(offeredById(session, late.id, midnight - 1)).toEqual(late);
    expect(offeredById(session, late.id, midnight)).toBeUndefined();
  });

  it('does not exist before a bank is connected, nor without a name', () => {
    expect(offeredIn(aSession(), 'en', now)).toBeUndefined();
    expect(offeredById(aSession(), rendered.en.id, now)).toBeUndefined();
    for (const name of ['bankConnectedAt', 'bankAccount', 'payee', 'authorizationTemplate', 'patient'] as const) {
      const { [name]: _, ...incomplete } = session;
      expect(offeredIn(incomplete as Session, 'en', now), name).toBeUndefined();
    }
  });

  it('does not exist for a template that this release does not have, so that a bank is connected again', () => {
    expect(offeredIn({ ...session, authorizationTemplate: '2030-01-01.1' }, 'en', now)).toBeUndefined();
  });
});

describe('a released template', () => {
  it('is kept, and new bank connections are offered a released one', () => {
    expect([...authorizationTemplates.keys()]).toEqual(Object.keys(releasedAuthorizations));
    expect(authorizationTemplates.has(currentAuthorizationTemplate)).toBe(true);
  });

  it.each(Object.entries(releasedAuthorizations))(
    '%s renders the same texts as when it was released',
    (version, ids) => {
      for (const name of Object.keys(terms) as (keyof typeof terms)[])
        for (const locale of locales) {
          const text = authorizationTemplates.get(version)?.[locale](terms[name]) ?? '';
          expect(sha256(text), text).toBe(ids[name][locale]);
        }
    },
  );
});

describe('the text on the bank statement', () => {
  it.each([
    ['Lakeside Family Practice', 'LAKESIDE FAMILY'],
    ['Bay Dental', 'BAY DENTAL'],
    ["O'Brien & Sons, M.D.", 'OBRIEN SONS M D'],
    ['Clínica Peñalosa', 'CLINICA PENALOSA'],
    ['1st Street Orthopedics', '1ST STREET ORTHO'],
    ['  Straße  ', 'STRASSE'],
    ['山田クリニック', 'INVOICE PAYMENT'],
    ['—', 'INVOICE PAYMENT'],
    ['24/7 365', 'INVOICE PAYMENT'],
    ['Dr. A', 'DR A PAYMENT'],
    ['Smile', 'SMILE'],
  ])('of %s is %s', (name, text) => {
    expect(statementDescriptor(name)).toBe(text);
    expect(text).toMatch(/^[A-Z0-9](?:[A-Z0-9 ]{0,14}[A-Z0-9])?$/);
  });
});
