export interface BackupVault {
  readonly arn: string;
  readonly account: string;
}

/** Distinguishes the backups' key from the tables' key, which goes with its stack. */
export const backupKeyDescription = 'Encrypts backups of payments';

const form = /^arn:aws[\w-]*:backup:([a-z0-9-]+):(\d{12}):backup-vault:[\w-]{2,50}$/;

/** Where backups are copied. Throws for anything but the ARN of a vault in another region: a region can be lost, too. */
export function backupVaultOf(arn: string | undefined, ownRegion: string | undefined): BackupVault | undefined {
  if (arn === undefined) return undefined;
  const [, region, account] = form.exec(arn) ?? [];
  if (region === undefined || account === undefined || region === ownRegion)
    throw new Error(
      '-c backupVault must be the ARN of a vault in another region, and better in another account, such as arn:aws:backup:us-west-2:123456789012:backup-vault:payments.',
    );
  return { arn, account };
}
