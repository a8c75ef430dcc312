/**
 * Tells secrets that somebody drew at random from those that somebody typed. It cannot prove strength; it refuses what
 * shows that no generator was used.
 */
const SECRET_LENGTH = 32;

/** Words of samples, documentation and quick starts; long enough not to turn up in random text. */
const SAMPLE_WORDS =
  /change|secret|sample|example|passwor[dt]|insecure|default|youreally|replace|development|qwert|asdfgh|123456|foyer/i;

/** @returns why the secret is refused ("is …"), or null */
export function weaknessOf(secret: string): string | null {
  if (secret.length < SECRET_LENGTH) return `is shorter than ${SECRET_LENGTH} characters`;
  if (SAMPLE_WORDS.test(secret)) return 'looks like a sample';
  if (new Set(secret).size < 10 || isRepeated(secret) || isSequence(secret)) return 'is not random';
  return null;
}

/** The same piece again and again, the last one perhaps cut. */
function isRepeated(secret: string): boolean {
  for (let size = 1; size <= secret.length / 2; size++) {
    if (secret.startsWith(secret.slice(size))) return true;
  }
  return false;
}

/** Mostly neighbours in the alphabet, or the same character. */
function isSequence(secret: string): boolean {
  const codes = Array.from(secret, (character) => character.charCodeAt(0));
  const steps = codes.filter((code, index) => index > 0 && Math.abs(code - (codes[index - 1] ?? 0)) <= 1);
  return steps.length > secret.length / 2;
}
