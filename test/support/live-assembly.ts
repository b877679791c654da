import { existsSync } from 'node:fs';
import { mkdir, readdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { stripeVariables } from '../../functions/contract/environment.ts';
import { pageDocuments } from '../../functions/domain/locale.ts';
import type { BankPickerOrigins } from '../../lib/build/content-security-policy.ts';
import { buildHostedPage } from '../../lib/build/pages.ts';
import { liveAssembly } from './built.ts';

/** Production with another Stripe, which is named only in variables of functions and in the page's documents. */
export async function assemblyWith(
  bankPicker: BankPickerOrigins,
  chargeType: 'direct' | 'destination',
  assetDirectory: string,
): Promise<{ template: unknown; assetDirectory: string }> {
  const shared = await liveAssembly();
  const variables = new Map<string, string>([
    [stripeVariables.apiBase, bankPicker.apiBase],
    [stripeVariables.chargeType, chargeType],
  ]);
  const template: unknown = JSON.parse(
    JSON.stringify(shared.template),
    (name, value: unknown) => variables.get(name) ?? value,
  );
  await mkdir(assetDirectory);
  // Stacks share what the first one has compiled.
  await mkdir(join(shared.assetDirectory, '.compile-cache'), { recursive: true });
  // The dashboard has an `index.html` too.
  const isPage = (asset: string) => existsSync(join(asset, pageDocuments.es));
  for (const entry of await readdir(shared.assetDirectory)) {
    const [from, to] = [join(shared.assetDirectory, entry), join(assetDirectory, entry)];
    if (isPage(from)) await buildHostedPage(to, 'live', { bankPicker, mails: true });
    else await symlink(from, to);
  }
  return { template, assetDirectory };
}
