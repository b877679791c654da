/** In dollars. Throws for anything but a positive whole number, or without an address to tell. */
export function monthlyBudgetOf(dollars: string | undefined, alarmEmail: string | undefined): number | undefined {
  if (dollars === undefined) return undefined;
  if (!/^[1-9]\d{0,8}$/.test(dollars) || alarmEmail === undefined)
    throw new Error('-c monthlyBudget must be whole dollars, such as 500, and needs -c alarmEmail, which it tells.');
  return Number(dollars);
}
