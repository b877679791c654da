/** A domain of the team's own for the hosted page, in place of CloudFront's. */
export interface OwnDomain {
  readonly name: string;
  /** CloudFront takes certificates from us-east-1 only, whatever the stack's region. */
  readonly certificateArn: string;
}

const hostName = /^(?=.{4,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/;
const certificateOfUsEast1 = /^arn:aws:acm:us-east-1:\d{12}:certificate\/[\w-]+$/;

/** The domain that was asked for, if one was. Throws where it has no certificate that CloudFront takes, or a certificate no domain. */
export function ownDomainOf(name: string | undefined, certificateArn: string | undefined): OwnDomain | undefined {
  if (name === undefined && certificateArn === undefined) return undefined;
  if (
    name === undefined ||
    certificateArn === undefined ||
    !hostName.test(name) ||
    !certificateOfUsEast1.test(certificateArn)
  ) {
    throw new Error(
      'A domain of your own needs both -c domain=pay.example.com and -c certificate=arn:aws:acm:us-east-1:…, a certificate for it in us-east-1.',
    );
  }
  return { name, certificateArn };
}
