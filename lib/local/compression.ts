import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { OriginAnswer } from './origins.ts';

const compressible = /^(text\/|application\/(javascript|json|xml|manifest\+json)|image\/svg\+xml|font\/)/;
const [smallest, largest] = [1000, 10_000_000];

/** Compresses an answer as CloudFront does for this viewer. */
export async function compressed(answer: OriginAnswer, acceptEncoding = ''): Promise<OriginAnswer> {
  const type = String(answer.headers['content-type'] ?? '');
  const { length } = answer.body;
  if (
    answer.status !== 200 ||
    length < smallest ||
    length > largest ||
    !compressible.test(type) ||
    answer.headers['content-encoding'] !== undefined
  )
    return answer;
  const encoding = /\bbr\b/.test(acceptEncoding) ? 'br' : /\bgzip\b/.test(acceptEncoding) ? 'gzip' : undefined;
  const headers = { ...answer.headers, vary: 'Accept-Encoding' };
  if (encoding === undefined) return { ...answer, headers };
  const body =
    encoding === 'br'
      ? await promisify(brotliCompress)(answer.body, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } })
      : await promisify(gzip)(answer.body);
  const { etag } = answer.headers;
  // CloudFront weakens the tag because compression changes the bytes.
  const weak = typeof etag === 'string' && !etag.startsWith('W/') ? { etag: `W/${etag}` } : {};
  return { ...answer, headers: { ...headers, ...weak, 'content-encoding': encoding }, body };
}
