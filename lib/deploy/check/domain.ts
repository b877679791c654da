import { DescribeCertificateCommand, type ACMClient } from '@aws-sdk/client-acm';
import type { OwnDomain } from '../../settings/own-domain.ts';
import { isNotFound, look, missing, ok, warning, type Finding } from './finding.ts';

export interface DomainTools {
  /** Like `resolveCname` in node:dns. */
  readonly resolveAlias: (name: string) => Promise<readonly string[]>;
  /** Whether CloudFront answers for the name. A record need not be a CNAME. */
  readonly isAtCloudFront: (name: string) => Promise<boolean>;
}

export const distribution = /\.cloudfront\.net$/;

export function checkCertificate(
  acmOf: (region: string) => ACMClient,
  { name, certificateArn }: OwnDomain,
  accountId: string,
): Promise<Finding[]> {
  const subject = `Certificate of ${name}`;
  const [, , , region = '', owner] = certificateArn.split(':');
  return look(subject, `acm:DescribeCertificate in ${region}`, async () => {
    if (owner !== accountId)
      return [missing(`${subject}: it belongs to another account. Request one in ${accountId}, in ${region}.`)];
    const certificate = await describe(acmOf(region), certificateArn);
    if (!certificate) return [missing(`${subject}: there is none with this ARN. Request one in ${region}.`)];
    const { Status: status = 'unknown', DomainName, SubjectAlternativeNames = [] } = certificate;
    if (status === 'PENDING_VALIDATION')
      return [missing(`${subject}: not issued yet. Create the DNS records that ACM shows, and wait.`)];
    if (status !== 'ISSUED') return [missing(`${subject}: its status is ${status}. Request a new one in ${region}.`)];
    const covered = [...(DomainName ? [DomainName] : []), ...SubjectAlternativeNames];
    if (!covered.some((each) => covers(each, name)))
      return [missing(`${subject}: it is for ${covered.join(', ')}. Request one for ${name}.`)];
    return [ok(`${subject}: issued.`)];
  });
}

async function describe(client: ACMClient, arn: string) {
  try {
    const { Certificate } = await client.send(new DescribeCertificateCommand({ CertificateArn: arn }));
    return Certificate;
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

/** A wildcard stands for one label. */
function covers(certified: string, name: string): boolean {
  if (certified.startsWith('*.')) return name.split('.').slice(1).join('.') === certified.slice(2);
  return certified.toLowerCase() === name;
}

interface DomainOfStack {
  /** From the stack's outputs. Undefined before the first deploy with a domain. */
  readonly target: string | undefined;
  /** Whether the stack already serves this very name. */
  readonly isServed: boolean;
  /** What the alias looks like if somebody else holds the name. AWS lets only one holder have it. */
  readonly rival: RegExp;
}

export async function checkDns(
  { resolveAlias, isAtCloudFront }: DomainTools,
  name: string,
  { target, isServed, rival }: DomainOfStack,
): Promise<Finding> {
  const subject = `DNS of ${name}`;
  const [alias] = await resolveAlias(name).catch(() => []);
  const own = target?.toLowerCase();
  if (alias !== undefined && alias === own) return ok(`${subject}: points at the stack.`);
  if (!isServed) {
    if (alias !== undefined && rival.test(alias)) return heldBy(subject, alias);
    if (rival === distribution && alias === undefined && (await isAtCloudFront(name).catch(() => false)))
      return heldBy(subject, 'a CloudFront distribution');
  }
  if (own !== undefined) return warning(`${subject}: points at ${alias ?? 'nothing by a CNAME'}. Point it at ${own}.`);
  return alias === undefined
    ? ok(`${subject}: no alias yet. Create it right after the first deploy.`)
    : warning(
        `${subject}: points at ${alias}. Another CloudFront distribution or API that has the name must give it up.`,
      );
}

function heldBy(subject: string, holder: string): Finding {
  return missing(
    `${subject}: points at ${holder}, which is not this stack's. AWS would refuse the name at the end of a deploy of 20 minutes. Remove it there first, and its record if nothing is there anymore.`,
  );
}
