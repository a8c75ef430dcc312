/** Describes for people why a receiver could not be reached. */
import { toCode } from '../../config/system-error.js';

const WORDS: ReadonlyMap<string, string> = new Map([
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'certificate of another host'],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'certificate of an unknown authority'],
  ['SELF_SIGNED_CERT_IN_CHAIN', 'certificate of an unknown authority'],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'certificate of an unknown authority'],
  ['UNABLE_TO_GET_ISSUER_CERT', 'certificate of an unknown authority'],
  ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'certificate of an unknown authority'],
  ['CERT_HAS_EXPIRED', 'certificate has expired'],
  ['CERT_NOT_YET_VALID', 'certificate is not yet valid'],
  ['ENOTFOUND', 'unknown host name'],
  ['EAI_AGAIN', 'host name cannot be looked up'],
  ['ECONNREFUSED', 'connection refused'],
  ['ECONNRESET', 'connection closed'],
  ['EPIPE', 'connection closed'],
  ['EHOSTUNREACH', 'host cannot be reached'],
  ['ENETUNREACH', 'host cannot be reached'],
  ['EPROTO', 'TLS handshake failed'],
  ['ERR_SSL_WRONG_VERSION_NUMBER', 'no TLS'],
]);

/** @returns words for a known code, otherwise the code of the error, or `no answer` without a code */
export function toFailureWords(error: unknown): string {
  const code = toCode(error) ?? 'no answer';
  return WORDS.get(code) ?? code;
}
