import type { Terms } from '../../functions/domain/payments/authorization-templates.ts';
import type { Locale } from '../../functions/domain/locale.ts';

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
  debitDate: '2026-11-23',
};

export const terms = {
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

/** By version, the ids of the texts. A released version's never change: add the next version's. */
export const releasedAuthorizations: Readonly<Record<string, Ids>> = {
  '2026-11-22.1': {
    plain: {
      en: 'Jz1aa8PraNOq8o92te1Ho0Kd7K1U0yHgYNT3QafXrVo',
      es: '7WYlncUdkMEu-m9Qsd0fgCtJ1YC_q6q5VZVeBywKexU',
    },
    'only a phone number': {
      en: 'Kf411rIHaj3GE6hk0Uh3CIzW1xyYVPbS0L6B08T6S-c',
      es: 'Hf4aVYfqLExRCd6i3nTxjfyzB_SAFMXOOidPkisMNRQ',
    },
    'only an email address': {
      en: 'qN0kNwWZHv5rZhbfkBjxZXdnn5AR-0WoTLZ_fBvH8uY',
      es: '_5BC7tuaxgim-uQijEcnlSCv_S-b_FRkRd91PLrORXc',
    },
    'no contact': {
      en: 'ZyWaOqLwXLACXcz_ztwcns8Opji-26Xo9oX--UrEDwQ',
      es: '-ExBBsiPsyXq5sTtAbffWS9xwu49xRvDkQwgC30LnLk',
    },
    'a savings account': {
      en: 'XxN7S0xrYXRo_fVbdALaEd9sFUYdIdNmmdqgTv1_hXo',
      es: 'GL7g_BT88KqQuHPlqPNpT8HWCimGFOhMf9AY3z1MxAo',
    },
  },
};
