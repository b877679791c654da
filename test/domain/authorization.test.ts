import { describe, expect, it } from 'vitest';
import {
  authorizationTemplateVersions,
  offeredById,
  offeredIn,
  renderAuthorizations,
} from '../../functions/domain/authorization.ts';
import { sha256 } from '../../functions/domain/identifier.ts';
import { locales } from '../../functions/domain/locale.ts';
import { aPractice, aSession } from '../support/examples.ts';

const now = Date.parse('2026-11-20T10:00:00.000Z');
const account = { bankName: 'Sandbox Bank', accountType: 'checking', last4: '6789' } as const;
const rendered = renderAuthorizations(aSession(), aPractice({ supportEmail: 'billing@example.com' }), account, now);

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
        'on or after November 20, 2026',
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
        'el 20 de noviembre de 2026 o después',
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
    const texts = renderAuthorizations(
      aSession(),
      { ...practice, ...(supportPhone && { supportPhone }) },
      account,
      now,
    );
    expect(texts.en.text).toContain(en);
    expect(texts.es.text).toContain(es);
  });

  it.each([
    ['2026-11-21T04:59:59.999Z', 'on or after November 20, 2026,', ' el 20 de noviembre de 2026 o después,'],
    ['2026-11-21T05:00:00.000Z', 'on or after November 21, 2026,', ' el 21 de noviembre de 2026 o después,'],
    ['2026-07-01T03:59:59.999Z', 'on or after June 30, 2026,', ' el 30 de junio de 2026 o después,'],
  ])('written at %s has the date in US Eastern time', (time, en, es) => {
    const texts = renderAuthorizations(aSession(), aPractice(), account, Date.parse(time));
    expect(texts.en.text).toContain(en);
    expect(texts.es.text).toContain(es);
  });

  it('names a savings account in both languages', () => {
    const { en, es } = renderAuthorizations(aSession(), aPractice(), { ...account, accountType: 'savings' }, now);
    expect([en.text, es.text]).toEqual([
      expect.stringContaining('my savings account'),
      expect.stringContaining('mi cuenta de ahorros'),
    ]);
  });

  it('has its hash as id, so another language, amount or account has another id', () => {
    for (const locale of locales)
      expect(rendered[locale]).toMatchObject({
        id: sha256(rendered[locale].text),
        locale,
        templateVersion: authorizationTemplateVersions[locale],
      });
    const others = [
      renderAuthorizations(
        aSession({ amountCents: 18_251 }),
        aPractice({ supportEmail: 'billing@example.com' }),
        account,
        now,
      ),
      renderAuthorizations(
        aSession(),
        aPractice({ supportEmail: 'billing@example.com' }),
        { ...account, last4: '1111' },
        now,
      ),
    ];
    const ids = [rendered, ...others].flatMap(({ en, es }) => [en.id, es.id]);
    expect(new Set(ids).size).toBe(ids.length);
  });
});

describe('an offer', () => {
  const session = aSession({ bankAccount: account, offeredAuthorizations: rendered });

  it('is shown in the requested language and found by either id', () => {
    expect(offeredIn(session, 'en')).toBe(rendered.en);
    expect(offeredIn(session, 'es')).toBe(rendered.es);
    expect(offeredById(session, rendered.es.id)).toBe(rendered.es);
    expect(offeredById(session, 'another')).toBeUndefined();
  });

  it('does not exist before a bank is connected', () => {
    expect(offeredIn(aSession(), 'en')).toBeUndefined();
  });
});
