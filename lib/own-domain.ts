export interface OwnDomain {
  readonly name: string;
  /** In us-east-1, as CloudFront requires. */
  readonly certificateArn: string;
}

const hostName = /^(?=.{4,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/;
const certificateOfUsEast1 = /^arn:aws:acm:us-east-1:\d{12}:certificate\/[\w-]+$/;

const hostedPage = { domain: 'domain', certificate: 'certificate', example: 'pay.example.com' };
export const dashboardDomain = {
  domain: 'dashboardDomain',
  certificate: 'dashboardCertificate',
  example: 'practice.example.com',
};

/** Throws for half a pair and for what is not a host name; `settings` are the options to name then. */
export function ownDomainOf(
  name: string | undefined,
  certificateArn: string | undefined,
  settings = hostedPage,
): OwnDomain | undefined {
  if (name === undefined && certificateArn === undefined) return undefined;
  if (
    name === undefined ||
    certificateArn === undefined ||
    !hostName.test(name) ||
    !certificateOfUsEast1.test(certificateArn)
  ) {
    throw new Error(
      `A custom domain needs both -c ${settings.domain}=${settings.example} and -c ${settings.certificate}=arn:aws:acm:us-east-1:…, its certificate in us-east-1.`,
    );
  }
  return { name, certificateArn };
}
