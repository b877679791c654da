import type { Terms } from '../../functions/domain/authorization-templates.ts';
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
  at: Date.parse('2026-11-20T10:00:00.000Z'),
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
    at: Date.parse('2027-07-01T03:59:59.999Z'),
  },
} as const satisfies Record<string, Terms>;

type Ids = Readonly<Record<keyof typeof terms, Readonly<Record<Locale, string>>>>;

/** By version, the ids of the texts. A released version's never change: add the next version's. */
export const releasedAuthorizations: Readonly<Record<string, Ids>> = {
  '2026-11-20.2': {
    plain: {
      en: 'uPpF-pkibjc1S97vW753Ak7sduuCir2NvJBHfpRsc-c',
      es: 'Cx8Ley6y7qTuK1AIFvgTj6IDO4mBpBpWzU5zozJGrus',
    },
    'only a phone number': {
      en: '52j3M01CAafiiyKSvdVwAK6CKP4Kf1NLe3fp9FJYJgg',
      es: 'xHid_K-0LnJEXQtsMdo7qK6ISvH7qlTntMLSDK8pq1E',
    },
    'only an email address': {
      en: 'YCZ5jrwMM9B_-m1tqzf-xjd70Mt0lnyqgpS5iKjdVUA',
      es: 'MRTjXHeNeR_nKDyr17JHbscsSdfmWLOan-VnxEvrRGA',
    },
    'no contact': {
      en: 'zJ4-TaaLJXf7FG74GlB_7eomc4SuVWtAYlPl0R8XNJE',
      es: 'mQgB4xkl1cZ4_bApBVn2Wp9ek_3HO0G8rmW5lRoNHZk',
    },
    'a savings account': {
      en: '-X7d9QYNi6_aPgYzVwKYRc5Gkp-0mItFj4hcscDud3M',
      es: 'wn9svFNDRDDKbiKL5_JWsorJyIYRyIFB5LrtEi8CwNA',
    },
  },
};
