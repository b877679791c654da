import type { Ledger } from './ledger.ts';
import type { Charge, Intent, PaymentMethod } from './records.ts';
import { newId } from './state.ts';

export function pendingCharge({ state }: Ledger, intent: Intent, method: PaymentMethod, mandateId: string): Charge {
  const { account_holder_type, account_type, bank_name, fingerprint, last4, routing_number } = method.us_bank_account;
  return {
    id: newId('py'),
    object: 'charge',
    created: state.seconds(),
    livemode: state.livemode,
    amount: intent.amount,
    amount_captured: 0,
    amount_refunded: 0,
    application_fee_amount: intent.application_fee_amount,
    balance_transaction: null,
    billing_details: method.billing_details,
    captured: true,
    currency: intent.currency,
    customer: intent.customer,
    disputed: false,
    failure_code: null,
    failure_message: null,
    metadata: intent.metadata,
    on_behalf_of: intent.on_behalf_of,
    outcome: null,
    paid: false,
    payment_intent: intent.id,
    payment_method: method.id,
    payment_method_details: {
      type: 'us_bank_account',
      us_bank_account: {
        account_holder_type,
        account_type,
        bank_name,
        fingerprint,
        last4,
        routing_number,
        expected_debit_date: new Date(state.now() + 86_400_000).toISOString().slice(0, 10),
        mandate: mandateId,
        payment_reference: null,
      },
    },
    refunded: false,
    source_transfer: null,
    statement_descriptor: intent.statement_descriptor,
    status: 'pending',
    transfer: null,
    transfer_data: intent.transfer_data,
  };
}
