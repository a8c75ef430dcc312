/** Why a new password was not taken, in a sentence each, and what to do next (VAL-1). */
import type { PasswordFault, PasswordRules } from '../../../src/contract/manage-state.js';
import { phrase } from '../../phrases/phrase.js';
import type { Phrase } from '../../phrases/phrase.js';
import { usePhrases } from '../../phrases/say.js';

interface Props {
  reasons: readonly PasswordFault[];
  rules: PasswordRules;
}

export function WeakReasons({ reasons, rules }: Props) {
  const { text } = usePhrases();
  const known = wordsFor(rules);
  // A newer server may know more of them than a page that is still open.
  const sentences = reasons.filter((reason) => Object.hasOwn(known, reason)).map((reason) => text(known[reason]));
  if (sentences.length === 0) return text('fault.not_strong_next');
  return [...sentences, text('new_password.weak_next')].join(' ');
}

function wordsFor(rules: PasswordRules): Record<PasswordFault, Phrase> {
  return {
    empty: phrase('fault.no_new_password_next'),
    'too-short': phrase('new_password.weak_too_short', { count: rules.min_length }),
    'too-long': phrase('new_password.weak_too_long'),
    characters: phrase('new_password.weak_characters'),
    'lower-missing': phrase('new_password.weak_lower'),
    'upper-missing': phrase('new_password.weak_upper'),
    'digit-missing': phrase('new_password.weak_digit'),
    common: phrase('new_password.weak_common'),
    username: phrase('new_password.weak_username'),
    'app-name': phrase('new_password.weak_app_name'),
  };
}
