/** Words for the authentication methods (`amr`) of a sign-in. */
import type { MessageKey } from '../../i18n/phrase.js';

const PROOFS: readonly (readonly [MessageKey, readonly string[]])[] = [
  ['manage_devices.by_provider', ['fed']],
  ['manage_devices.by_password', ['pwd']],
  ['manage_devices.by_mail', ['mail']],
  ['manage_devices.by_code', ['otp']],
  ['manage_devices.by_key', ['pop', 'hwk', 'swk']],
];

export function findProofPhrases(amr: readonly string[]): MessageKey[] {
  return PROOFS.flatMap(([words, methods]) => (methods.some((method) => amr.includes(method)) ? [words] : []));
}
