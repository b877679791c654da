/** If you change the terms, also change their version in functions/domain/practices/practice.ts. */
export const terms = {
  version: '2026-11-21',
  points: [
    'You collect only what your patients owe you for services, and send each payment link only to the patient who owes it.',
    'You debit a bank account only as its owner authorized. You keep the authorization for two years after it ends, and show it to the bank on request; the service keeps it for you.',
    'You stop a debit when the patient revokes it in time, and refund what was debited by mistake.',
    'Banks can return a debit: within two days for lack of funds, within 60 days if the owner says that it was not authorized. What was returned, and Stripe’s fee for it, is taken from your deposits or your bank account.',
    'You keep your return rates below the ceilings of Nacha, the network’s operator: 0.5 % unauthorized, 3 % administrative, 15 % in all. Above them, live payments may be stopped.',
    'You put no medical facts into invoice numbers, metadata or the practice’s name. Patients’ names and amounts are protected health information: you and whoever runs this service have signed a business associate agreement.',
    'You keep API keys and signing secrets secret, and remove members who leave.',
    'Stripe moves the money, under terms of its own, which you accept on its page.',
  ],
} as const;
