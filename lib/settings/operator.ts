/** Who runs the service. Shown to patients. */
export interface Operator {
  readonly name?: string | undefined;
  readonly email?: string | undefined;
  /** By post. */
  readonly address?: string | undefined;
}

/** Throws for an empty or long name or postal address, and for anything but a plain email address. */
export function operatorOf({ name, email, address }: Operator): Operator {
  if (name !== undefined && !/^\S(.{0,98}\S)?$/.test(name))
    throw new Error('-c operatorName must be the name of who runs the service, of 1 to 100 characters.');
  if (email !== undefined && !/^[\w.+-]+@[\w.-]+\.[a-z]{2,63}$/.test(email))
    throw new Error('-c operatorEmail must be an address that patients can write to, such as help@example.com.');
  if (address !== undefined && !/^\S(.{0,198}\S)?$/.test(address))
    throw new Error('-c operatorAddress must be your postal address on one line, of 1 to 200 characters.');
  return { name, email, address };
}
