import { Source, type ISource } from 'aws-cdk-lib/aws-s3-deployment';

/** Whom researchers report vulnerabilities to: RFC 9116. */
export interface SecurityContact {
  readonly contact: string;
  readonly expires: string;
}

const day = 24 * 3600 * 1000;

/** The file is valid for a year after the deploy. Throws for anything but a mailto: or https: URL. */
export function securityContactOf(contact: string | undefined, now: number): SecurityContact | undefined {
  if (contact === undefined) return undefined;
  if (!/^(mailto:[^\s@]+@[^\s@]+\.[^\s@]+|https:\/\/[^\s]+)$/.test(contact))
    throw new Error(
      '-c securityContact must be a mailto: or https: URL, such as mailto:security@example.com or https://example.com/security.',
    );
  // Rounded to days, so that two deploys on the same day produce the same file.
  const expires = new Date(Math.floor(now / day) * day + 364 * day);
  return { contact, expires: expires.toISOString().replace('.000Z', 'Z') };
}

/** The security.txt of the site at `url`, which may be known only during the deploy. */
export function securityTxt({ contact, expires }: SecurityContact, url: string): ISource {
  const path = '.well-known/security.txt';
  const lines = [`Contact: ${contact}`, `Expires: ${expires}`, 'Preferred-Languages: en', `Canonical: ${url}/${path}`];
  return Source.data(path, `${lines.join('\n')}\n`);
}
