import { DescribeCertificateCommand, type ACMClient } from '@aws-sdk/client-acm';
import type { OwnDomain } from '../../settings/own-domain.ts';
import { isNotFound, look, missing, ok, warning, type Finding } from './finding.ts';

/** Like `resolveCname` in node:dns. */
export type ResolveAlias = (name: string) => Promise<readonly string[]>;

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

/** `target` comes from the stack's outputs. Undefined before the first deploy. */
export async function checkDns(resolve: ResolveAlias, name: string, target: string | undefined): Promise<Finding> {
  const found = await resolve(name).catch(() => []);
  const [alias] = found;
  const own = target?.toLowerCase();
  if (own === undefined)
    return alias === undefined
      ? ok(`DNS of ${name}: no alias yet. Create it right after the first deploy.`)
      : warning(
          `DNS of ${name}: points at ${alias}. If that is CloudFront, the domain must leave it before the deploy.`,
        );
  if (alias === own) return ok(`DNS of ${name}: points at the stack.`);
  return warning(`DNS of ${name}: points at ${alias ?? 'nothing by a CNAME'}. Point it at ${own}.`);
}
