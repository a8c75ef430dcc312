/** Finds whose token a call has sent, for the operator API, the token hook and SCIM alike. */
import { createHash, timingSafeEqual } from 'node:crypto';

/**
 * @returns finds the holder of a token; undefined if nobody has it. Digests, which have equal length, are compared with every token, so
 * that the time reveals neither a length nor a similar token
 */
export function buildTokenFinder<Holder>(
  accepted: readonly { token: string; holder: Holder }[],
): (given: string) => Holder | undefined {
  const digests = accepted.map(({ token, holder }) => ({ holder, digest: toDigest(token) }));
  return (given) => {
    const givenDigest = toDigest(given);
    return digests.filter(({ digest }) => timingSafeEqual(givenDigest, digest))[0]?.holder;
  };
}

function toDigest(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
