export interface OwnDomain {
  readonly name: string;
  /** In us-east-1 for CloudFront, in the stack's region for the API. */
  readonly certificateArn: string;
}

const hostName = /^(?=.{4,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/;
const certificateForm = /^arn:aws:acm:([\w-]+):\d{12}:certificate\/[\w-]+$/;

interface DomainSettings {
  readonly domain: string;
  readonly certificate: string;
  readonly example: string;
  /** The region that the certificate must be in. Undefined if not known yet. */
  readonly region: string | undefined;
}

const hostedPage = { domain: 'domain', certificate: 'certificate', example: 'pay.example.com', region: 'us-east-1' };
export const dashboardDomain = {
  domain: 'dashboardDomain',
  certificate: 'dashboardCertificate',
  example: 'practice.example.com',
  region: 'us-east-1',
};

export function apiDomain(region: string | undefined): DomainSettings {
  return { domain: 'apiDomain', certificate: 'apiCertificate', example: 'api.example.com', region };
}

/** Throws if only one of the two is given, or if the name is not a host name. The message names the options in `settings`. */
export function ownDomainOf(
  name: string | undefined,
  certificate: string | undefined,
  settings: DomainSettings = hostedPage,
): OwnDomain | undefined {
  if (name === undefined && certificate === undefined) return undefined;
  const { region = "the stack's region" } = settings;
  if (name === undefined || certificate === undefined || !hostName.test(name) || !isIn(settings.region, certificate)) {
    throw new Error(
      `A custom domain needs both -c ${settings.domain}=${settings.example} and -c ${settings.certificate}=arn:aws:acm:${settings.region ?? '…'}:…, its certificate in ${region}.`,
    );
  }
  return { name, certificateArn: certificate };
}

function isIn(region: string | undefined, certificate: string): boolean {
  const [, found] = certificateForm.exec(certificate) ?? [];
  return found !== undefined && found === (region ?? found);
}
