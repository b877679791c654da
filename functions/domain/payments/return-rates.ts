import { reachedBank, type DebitReturn, type Failure } from './debit.ts';
import { day } from '../time.ts';

/** Nacha's ceilings, as shares of the debits of the last 60 days. */
const ceilings = { unauthorized: 0.005, administrative: 0.03, overall: 0.15 } as const;
export const returnKinds = ['unauthorized', 'administrative', 'overall'] as const;
export const returnPeriod = 60 * day;

interface Debit {
  readonly failure?: Failure | undefined;
  readonly return?: DebitReturn | undefined;
}

/** Rates are shares of `debits`, from 0 to 1. Leaves out debits that failed at the processor: no bank has seen them. */
export function returnRatesOf(authorized: readonly Debit[]) {
  const debits = authorized.filter(({ failure }) => !failure || reachedBank(failure));
  const returned = debits.flatMap(({ failure, return: late }) => late ?? failure ?? []);
  const rates = returnKinds.map((kind) => {
    const returns = returned.filter((each) => kind === 'overall' || kindOf(each) === kind).length;
    return { kind, returns, rate: debits.length === 0 ? 0 : returns / debits.length, ceiling: ceilings[kind] };
  });
  return { rates, debits: debits.length };
}

type Returned = Pick<Failure, 'code' | 'achReturnCode'>;

/** Uses the bank's return code if it is known. */
function kindOf({ code, achReturnCode }: Returned): (typeof returnKinds)[number] {
  if (achReturnCode !== undefined) {
    if (['R05', 'R07', 'R10', 'R11', 'R29', 'R51'].includes(achReturnCode)) return 'unauthorized';
    return ['R02', 'R03', 'R04'].includes(achReturnCode) ? 'administrative' : 'overall';
  }
  if (code === 'debit_not_authorized') return 'unauthorized';
  return code === 'account_closed' || code === 'account_not_found' ? 'administrative' : 'overall';
}
