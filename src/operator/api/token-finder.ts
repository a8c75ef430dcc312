/** Finds the holder of the token of a call, for the operator API, the token hook and SCIM. */
import { createHash, timingSafeEqual } from 'node:crypto';

/**
 * @returns a function that finds the holder of a token, or returns undefined. It compares the digest of the token with the digests of all
 * accepted tokens. Digests have equal length, so the time reveals nothing about the tokens
 */
export function buildTokenFinder<Holder>(
  entries: readonly { token: string; holder: Holder }[],
): (token: string) => Holder | undefined {
  const digests = entries.map(({ token, holder }) => ({ holder, digest: toDigest(token) }));
  return (token) => {
    const tokenDigest = toDigest(token);
    return digests.filter(({ digest }) => timingSafeEqual(tokenDigest, digest))[0]?.holder;
  };
}

function toDigest(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
