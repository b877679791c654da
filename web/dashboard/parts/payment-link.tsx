import { encode } from 'uqr';
import { formatDollars, formatTime } from '../format.ts';
import { usePractice } from '../practice.ts';
import { Button } from './button.tsx';
import { CopyField } from './copy.tsx';

interface PaymentLinkProps {
  readonly hostedUrl: string;
  readonly invoiceId: string;
  readonly amountCents: number;
  /** What there is to see once nothing is left to pay. */
  readonly shows?: string;
  /** Absent if the link cannot be paid. */
  readonly expiresAt?: string;
}

/** A link that is shown only once: to copy, scan or print for the patient. */
export function PaymentLink(link: PaymentLinkProps) {
  const also = link.expiresAt === undefined ? link.shows : 'pay';
  return (
    <div class="payment-link">
      <QrCode text={link.hostedUrl} />
      <div class="payment-link-words">
        <CopyField label="Payment link" text={link.hostedUrl} primary />
        <p class="quiet">
          Send it only to the patient: whoever has it can see the invoice
          {also !== undefined && ` and ${also}`}. It is shown only once. If it gets lost, make a new link on the
          session's page.
        </p>
        <div class="actions">
          {link.expiresAt !== undefined && <Button onClick={() => print()}>Print a slip</Button>}
          <a href={link.hostedUrl} target="_blank" rel="noreferrer">
            Open as the patient
          </a>
        </div>
      </div>
      {link.expiresAt !== undefined && <Slip {...link} expiresAt={link.expiresAt} />}
    </div>
  );
}

function QrCode({ text }: { readonly text: string }) {
  const { data, size } = encode(text, { ecc: 'M', border: 4 });
  const dark = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])));
  return (
    <svg class="qr" viewBox={`0 0 ${size} ${size}`} role="img" aria-label="QR code of the payment link">
      <path d={dark.join('')} />
    </svg>
  );
}

/** Only printed. Leaves out the patient's name: slips lie around on counters. */
function Slip({ hostedUrl, invoiceId, amountCents, expiresAt }: Required<Omit<PaymentLinkProps, 'shows'>>) {
  const { name, timeZone, settings } = usePractice();
  const contacts = [settings.supportPhone, settings.supportEmail].filter((contact) => contact !== undefined);
  return (
    <article class="slip on-paper">
      <h2>{name}</h2>
      <dl>
        <div>
          <dt>Invoice</dt>
          <dd>{invoiceId}</dd>
        </div>
        <div>
          <dt>Amount</dt>
          <dd>{formatDollars(amountCents)}</dd>
        </div>
        <div>
          <dt>Pay by</dt>
          <dd>{formatTime(expiresAt, timeZone, { zone: true })}</dd>
        </div>
      </dl>
      <p>Pay from your bank account: scan this code with your phone's camera, or type the address below.</p>
      <QrCode text={hostedUrl} />
      <p class="slip-link">{hostedUrl}</p>
      {contacts.length > 0 && <p>Questions? {contacts.join(' or ')}</p>}
    </article>
  );
}
