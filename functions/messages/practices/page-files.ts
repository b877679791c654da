import { accessOfLambda, awsRequester, retrying, type AwsAccess } from '../../aws-request.ts';
import { Fault } from '../../domain/fault.ts';

interface PageFile {
  /** The file's path on the hosted page's host. */
  readonly key: string;
  readonly bytes: Uint8Array;
  readonly contentType: string;
  readonly cacheControl: string;
}

/** Uploads a file to the hosted page's host. */
export type PutFile = (file: PageFile) => Promise<void>;

/** Without the SDK's client for S3, which would take as long to load as the rest of the function. */
export function filePutter(bucket: string, access: () => AwsAccess = () => accessOfLambda('s3')): PutFile {
  let host: ReturnType<typeof hostOf> | undefined;
  return async ({ key, bytes, contentType, cacheControl }) => {
    if (!/^[\w./-]+$/.test(key)) throw new Fault('the key would need escaping');
    host ??= hostOf(bucket, access());
    const { request, folder } = host;
    const headers = { 'content-type': contentType, 'cache-control': cacheControl };
    await retrying(async () => {
      const { status, body } = await request({ method: 'PUT', path: `${folder}/${key}`, headers, body: bytes });
      if (status !== 200) throw new S3Error(status, body);
    });
  };
}

function hostOf(bucket: string, access: AwsAccess) {
  const { origin, folder } = addressOf(bucket, access);
  return { request: awsRequester('s3', origin, access), folder };
}

/** On AWS, the bucket is in the host's name. A local endpoint has it in the path. */
export function addressOf(bucket: string, { region, endpoint }: Omit<AwsAccess, 'credentials'>) {
  return endpoint === undefined
    ? { origin: `https://${bucket}.s3.${region}.amazonaws.com`, folder: '' }
    : { origin: endpoint, folder: `/${bucket}` };
}

class S3Error extends Error {
  readonly $metadata: { readonly httpStatusCode: number };

  constructor(httpStatusCode: number, body: string) {
    super(/<Message>([^<]*)/.exec(body)?.[1]);
    this.name = /<Code>(\w+)</.exec(body)?.[1] ?? 'UnknownError';
    this.$metadata = { httpStatusCode };
  }
}
