import { accessOfLambda, awsRequester, retrying, type AwsAccess } from '../aws-request.ts';

interface PageFile {
  /** The file's path on the hosted page's host. Must need no escaping. */
  readonly key: string;
  readonly bytes: Uint8Array;
  readonly contentType: string;
  readonly cacheControl: string;
}

/** Uploads a file to the hosted page's host. */
export type PutFile = (file: PageFile) => Promise<void>;

/** Without the SDK's client for S3, which would take as long to load as the rest of the function. */
export function filePutter(bucket: string, access: () => AwsAccess = () => accessOfLambda('s3')): PutFile {
  return async ({ key, bytes, contentType, cacheControl }) => {
    const { origin, path } = addressOf(bucket, key, access());
    const request = awsRequester('s3', origin, access());
    const headers = { 'content-type': contentType, 'cache-control': cacheControl };
    await retrying(async () => {
      const { status, body } = await request({ method: 'PUT', path, headers, body: bytes });
      if (status !== 200) throw new S3Error(status, body);
    });
  };
}

/** On AWS, the bucket is in the host's name. A local endpoint has it in the path. */
export function addressOf(bucket: string, key: string, { region, endpoint }: Omit<AwsAccess, 'credentials'>) {
  return endpoint === undefined
    ? { origin: `https://${bucket}.s3.${region}.amazonaws.com`, path: `/${key}` }
    : { origin: endpoint, path: `/${bucket}/${key}` };
}

class S3Error extends Error {
  readonly $metadata: { readonly httpStatusCode: number };

  constructor(httpStatusCode: number, body: string) {
    super(/<Message>(.*?)<\/Message>/.exec(body)?.[1]);
    this.name = /<Code>(\w+)<\/Code>/.exec(body)?.[1] ?? 'UnknownError';
    this.$metadata = { httpStatusCode };
  }
}
