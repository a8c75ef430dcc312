/** Which compressed form an `Accept-Encoding` header allows (RFC 9110, section 12.5.3), and compressing a page. */
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

export type ContentEncoding = 'br' | 'gzip' | 'identity';

/** Fast levels: a page is compressed for every request. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 3, [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT } };

/** @returns encodings that may be used, best first; `identity` always closes the list */
export function acceptedEncodings(header: string | undefined): ContentEncoding[] {
  const offered = (header ?? '').slice(0, 200).toLowerCase();
  const allows = (name: string): boolean =>
    new RegExp(`(^|[,\\s])${name}(\\s*;\\s*q=(?!0(\\.0*)?\\s*(,|$))[\\d.]+)?\\s*(,|$)`).test(offered);
  return [...(['br', 'gzip'] as const).filter(allows), 'identity'];
}

export function compress(text: string, encoding: ContentEncoding): Buffer {
  const bytes = Buffer.from(text);
  if (encoding === 'br') return brotliCompressSync(bytes, BROTLI);
  if (encoding === 'gzip') return gzipSync(bytes, { level: 5 });
  return bytes;
}
