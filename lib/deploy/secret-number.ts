import type { Stack } from '@aws-sdk/client-cloudformation';

/** The output with the number of the secret that the distributions send. */
export const secretNumberOutput = 'OriginSecretNumber';

/** Returns what to do if the functions of `stack` would reject the new secret until the deploy ends. */
export function wrongSecretNumber(stack: Pick<Stack, 'Outputs'> | undefined, wanted: number): string[] {
  const output = stack?.Outputs?.find(({ OutputKey }) => OutputKey === secretNumberOutput)?.OutputValue;
  if (output === undefined) return [];
  const deployed = Number(output);
  if (wanted === deployed || wanted === deployed + 1) return [];
  return [
    `-c originSecret is ${wanted}, and the stack has ${deployed}: both pages would stop while it deploys. Give ${deployed}, or ${deployed + 1} to change the secret.`,
  ];
}
