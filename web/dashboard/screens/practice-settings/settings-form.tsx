import { useEffect, useState } from 'preact/hooks';
import { call, type Answer, type Response } from '../../api.ts';
import { timeZoneOptions } from '../../days.ts';
import { formatDollars } from '../../format.ts';
import { Button } from '../../parts/button.tsx';
import { CheckboxField } from '../../parts/choices.tsx';
import { LinesField, SelectField, TextField, type FieldProps } from '../../parts/field.tsx';
import { FormFrame } from '../../parts/dialog.tsx';
import { NotYet, announce } from '../../parts/notice.tsx';
import { Panel } from '../../parts/screen.tsx';
import { usePractice, useSettings } from '../../practice.ts';
import {
  colorHint,
  changeOf,
  checkSettings,
  unseenChanges,
  valuesOf,
  type SettingsValues,
} from '../../settings-form.ts';
import { useForm } from '../../use-form.ts';
import { Logo } from './logo.tsx';

/** `typed` is called with every change, for the preview. */
export function SettingsForm({ typed }: { readonly typed: (values: SettingsValues) => void }) {
  const { practiceId, mode } = usePractice();
  const { settings, reloadSettings } = useSettings();
  // Do not use the latest settings: another admin's change would look as if this user had typed it.
  const [shown, setShown] = useState<Response<'changeSettings'>>(settings);
  const form = useForm({
    name: 'practice',
    initial: valuesOf(settings),
    check: checkSettings,
    send: async (values): Promise<Answer<Response<'changeSettings'> | undefined>> => {
      const body = changeOf(values, shown);
      return body ? call('changeSettings', { params: { practiceId }, body }) : { ok: true, value: undefined };
    },
    sent: (saved) => {
      announce(saved ? 'Saved.' : 'Nothing has changed.');
      if (saved) {
        form.setSaved(unseenChanges(form.values, shown, saved));
        setShown(saved);
      }
      void reloadSettings();
    },
    fieldOf: (pointer) => (pointer === '/sessionLifetimeSeconds' ? 'sessionMinutes' : undefined),
    fieldOfProblem: { contact_required: 'supportPhone' },
  });
  useEffect(() => typed(form.values), [form.values]);

  return (
    <FormFrame form={form}>
      <Panel title="On the payment page">
        <TextField
          field={form.field('name')}
          label="Name"
          hint="As patients know it. It is also on receipts and in what they authorize."
          autoComplete="organization"
        />
        <ColorField field={form.field('primaryColor')} label="Color" hint={colorHint(form.values.primaryColor)} />
        <Logo />
        <TextField
          field={form.field('supportPhone')}
          label="Phone for patients"
          hint={
            mode === 'live'
              ? 'Patients need a phone number or an email to reach you.'
              : 'A phone number or an email is required before you go live.'
          }
          inputMode="tel"
          width="middle"
        />
        <TextField field={form.field('supportEmail')} label="Email for patients" inputMode="email" />
        <LinesField
          field={form.field('postalAddress')}
          label="Postal address"
          hint="Shown on the paper receipt. Up to four lines."
          rows={4}
          autoComplete="street-address"
        />
        <TextField
          field={form.field('privacyUrl')}
          label="Link to your privacy policy"
          hint="Patients see this instead of our page."
          inputMode="url"
          spellcheck={false}
        />
        <TextField
          field={form.field('termsUrl')}
          label="Link to your terms"
          hint="Patients see this instead of our page."
          inputMode="url"
          spellcheck={false}
        />
      </Panel>
      <Panel title="Payment links">
        <TextField
          field={form.field('linkLifetimeDays')}
          label="A link works for"
          hint="Until the patient opens it. 1 to 365 days."
          suffix="days"
          width="short"
          inputMode="numeric"
        />
        <TextField
          field={form.field('sessionMinutes')}
          label="Time to pay once the patient has opened it"
          hint="1 to 1440 minutes. After that they need a new link."
          suffix="minutes"
          width="short"
          inputMode="decimal"
        />
        <CheckboxField
          field={form.field('extensions')}
          label="Patients can ask for more time"
          hint="In the last five minutes, as much again, up to ten times. Accessibility rules require it."
        />
        <CheckboxField
          field={form.field('invoiceGuard')}
          label="One invoice is paid at most once"
          hint="A second link for a paid invoice says that it is paid. Switch this off if patients pay an invoice in installments."
        />
      </Panel>
      {settings.appliedFee && <ServiceFee {...settings.appliedFee} />}
      <Panel
        title="Patients’ data"
        note="Whoever operates the payment service can export everything and close the practice, should you leave."
      >
        <TextField
          field={form.field('retentionMonths')}
          label="Remove patients’ details after"
          hint="1 to 84 months after the payment has ended: names, bank account and anything added to the link. The proof of authorization is kept for seven years."
          suffix="months"
          width="short"
          inputMode="numeric"
        />
      </Panel>
      <Panel title="This dashboard">
        <SelectField
          field={form.field('timeZone')}
          label="Time zone"
          hint="For all times and days in this dashboard."
          options={timeZoneOptions(settings.timeZone)}
        />
      </Panel>
      <div class={form.isChanged || form.interrupted ? 'actions save unsaved' : 'actions save'}>
        {form.interrupted ? <NotYet>Not saved yet. Press “Save”.</NotYet> : form.isChanged && <p>Unsaved changes</p>}
        <Button kind="primary" type="submit" busy={form.busy}>
          Save
        </Button>
      </div>
    </FormFrame>
  );
}

/** The operator's fee. Only the operator can change it. */
function ServiceFee({ cents, basisPoints: points }: NonNullable<Response<'getSettings'>['appliedFee']>) {
  if (cents === 0 && points === 0) return null;
  return (
    <Panel title="Service fee">
      <p>
        Of each payment,{' '}
        {[cents > 0 && formatDollars(cents), points > 0 && `${points / 100}%`].filter(Boolean).join(' and ')} are for
        whoever operates the payment service, besides Stripe’s fee. A refund returns the same part of it.
      </p>
    </Panel>
  );
}

function ColorField({ field, label, hint }: FieldProps) {
  const shown = /^#[\da-f]{6}$/i.test(field.value) ? field.value.toLowerCase() : '#000000';
  return (
    <div class="color-field">
      <TextField field={field} label={label} hint={hint} width="short" maxLength={7} spellcheck={false} />
      <input
        type="color"
        aria-label={`Pick the ${label.toLowerCase()}`}
        value={shown}
        onInput={(event) => field.set(event.currentTarget.value)}
      />
    </div>
  );
}
