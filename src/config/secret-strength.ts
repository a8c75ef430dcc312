/**
 * Detects secrets that are too short, and secrets that a person typed instead of generating them. The check cannot prove strength.
 */
const MIN_SECRET_LENGTH = 32;

/** Words from samples, documentation and quick starts; long enough that they hardly ever occur in random text. */
const SAMPLE_WORDS =
  /change|secret|sample|example|passwor[dt]|insecure|default|youreally|replace|development|qwert|asdfgh|123456|foyer/i;

/** @returns the weakness as a phrase that follows the name of the secret, or null */
export function findWeakness(secret: string): string | null {
  if (secret.length < MIN_SECRET_LENGTH) return `is shorter than ${MIN_SECRET_LENGTH} characters`;
  if (SAMPLE_WORDS.test(secret)) return 'looks like a sample';
  if (new Set(secret).size < 10 || isRepeated(secret) || isSequence(secret)) return 'is not random';
  return null;
}

/** Whether the secret only repeats one part; the last repetition may be cut short. */
function isRepeated(secret: string): boolean {
  for (let size = 1; size <= secret.length / 2; size++) {
    if (secret.startsWith(secret.slice(size))) return true;
  }
  return false;
}

/** Whether most characters repeat the character before them, or are next to it in the alphabet. */
function isSequence(secret: string): boolean {
  const codes = Array.from(secret, (character) => character.charCodeAt(0));
  const steps = codes.filter((code, index) => index > 0 && Math.abs(code - (codes[index - 1] ?? 0)) <= 1);
  return steps.length > secret.length / 2;
}
