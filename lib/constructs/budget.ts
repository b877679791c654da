import { CfnBudget } from 'aws-cdk-lib/aws-budgets';
import type { Construct } from 'constructs';

/** In dollars. Throws for anything but a positive whole number, and if there is no address to notify. */
export function monthlyBudgetOf(dollars: string | undefined, alarmEmail: string | undefined): number | undefined {
  if (dollars === undefined) return undefined;
  if (!/^[1-9]\d{0,8}$/.test(dollars) || alarmEmail === undefined)
    throw new Error(
      '-c monthlyBudget must be whole dollars, such as 500, and needs -c alarmEmail, the address to notify.',
    );
  return Number(dollars);
}

interface BudgetProps {
  readonly dollars: number;
  readonly email: string;
}

/**
 * Covers the whole account: a budget by tag counts nothing until the tag is activated for cost allocation, and misses
 * what others start here. It has no name of its own, because changing the notifications replaces it.
 */
export function monthlyBudget(scope: Construct, { dollars, email }: BudgetProps): CfnBudget {
  const notice = (notificationType: 'ACTUAL' | 'FORECASTED', threshold: number) => ({
    notification: { notificationType, comparisonOperator: 'GREATER_THAN', threshold, thresholdType: 'PERCENTAGE' },
    subscribers: [{ subscriptionType: 'EMAIL', address: email }],
  });
  return new CfnBudget(scope, 'MonthlyBudget', {
    budget: { budgetType: 'COST', timeUnit: 'MONTHLY', budgetLimit: { amount: dollars, unit: 'USD' } },
    notificationsWithSubscribers: [notice('ACTUAL', 80), notice('ACTUAL', 100), notice('FORECASTED', 100)],
  });
}
