import type { Operator } from './operator.ts';
import type { OwnDomain } from './own-domain.ts';
import type { SecurityContact } from './security-txt.ts';
import type { Stage } from './stage.ts';
import type { StripeSettings } from './stripe.ts';

interface ProductionSettings {
  readonly stage: Stage;
  readonly domain: OwnDomain | undefined;
  readonly alarmEmail: string | undefined;
  readonly securityContact: SecurityContact | undefined;
  readonly operator: Operator;
  readonly stripe: StripeSettings | undefined;
}

/** The settings that a production stage still lacks, one line each. */
export function missingSettings(settings: ProductionSettings): string[] {
  const { stage, domain, alarmEmail, securityContact, operator, stripe } = settings;
  if (stage.mode !== 'live') return [];
  return [
    ...(stripe
      ? []
      : ["Production needs -c stripeSecret=…, the name or ARN of the secret with Stripe's keys and signing secrets."]),
    ...(domain
      ? []
      : ['Production needs -c domain=pay.example.com and -c certificate=…, a domain of your own that patients know.']),
    ...(alarmEmail === undefined
      ? ['Production needs -c alarmEmail=oncall@example.com, an address that gets every alarm.']
      : []),
    ...(securityContact
      ? []
      : [
          'Production needs -c securityContact=mailto:security@example.com, whom researchers tell about a vulnerability.',
        ]),
    ...(operator.name === undefined
      ? ['Production needs -c operatorName=…, the name of your company: the payment page tells patients who runs it.']
      : []),
    ...(operator.email === undefined
      ? ['Production needs -c operatorEmail=help@example.com, an address that patients can write to.']
      : []),
  ];
}
