/** Negotiates the content encoding from `Accept-Encoding` (RFC 9110, section 12.5.3) and compresses pages. */
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import Negotiator from 'negotiator';

export type ContentEncoding = 'br' | 'gzip' | 'identity';

/**
 * A fast level, because a page is compressed for every request and consists mostly of challenges and tickets, which no
 * level makes smaller. The chunk size fits most pages; the default size would allocate more memory for each page.
 */
const BROTLI = {
  params: { [constants.BROTLI_PARAM_QUALITY]: 1, [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT },
  chunkSize: 4096,
};

/** Smallest result first. */
const COMPRESSIONS: readonly ContentEncoding[] = ['br', 'gzip'];
const MAX_HEADER_LENGTH = 200;

/** @returns accepted encodings, best first; `identity` is always last */
export function negotiateEncodings(header: string | undefined): ContentEncoding[] {
  const headers = { 'accept-encoding': (header ?? '').slice(0, MAX_HEADER_LENGTH) };
  const acceptedEncodings = new Negotiator({ headers }).encodings(COMPRESSIONS);
  return [...COMPRESSIONS.filter((encoding) => acceptedEncodings.includes(encoding)), 'identity'];
}

export function compress(text: string, encoding: ContentEncoding): Buffer {
  const bytes = Buffer.from(text);
  if (encoding === 'br') return brotliCompressSync(bytes, BROTLI);
  if (encoding === 'gzip') return gzipSync(bytes, { level: 2, chunkSize: BROTLI.chunkSize });
  return bytes;
}
