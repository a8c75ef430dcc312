/** Explains why a new password was rejected, with one sentence for each reason, and what to do (VAL-1). */
import { useTranslation } from 'react-i18next';
import type { PasswordFault, PasswordRules } from '../../../src/contract/manage-state.js';
import { phrase, type Phrase } from '../../i18n/phrase.js';

interface Props {
  reasons: readonly PasswordFault[];
  rules: PasswordRules;
}

export function WeakReasons({ reasons, rules }: Props) {
  const { t } = useTranslation();
  const phrases = buildReasonPhrases(rules);
  // A page that was opened before an update may lack the phrases of newer reasons.
  const sentences = reasons.filter((reason) => Object.keys(phrases).includes(reason)).map((reason) => t(...phrases[reason]));
  if (sentences.length === 0) return t('fault.not_strong_next');
  return [...sentences, t('new_password.weak_next')].join(' ');
}

function buildReasonPhrases(rules: PasswordRules): Record<PasswordFault, Phrase> {
  return {
    empty: phrase('fault.no_new_password_next'),
    'too-short': phrase('new_password.weak_too_short', { count: rules.min_length }),
    'too-long': phrase('new_password.weak_too_long'),
    characters: phrase('new_password.weak_characters'),
    'lower-missing': phrase('new_password.weak_lower'),
    'upper-missing': phrase('new_password.weak_upper'),
    'digit-missing': phrase('new_password.weak_digit'),
    common: phrase('new_password.weak_common'),
    breached: phrase('new_password.weak_breached'),
    username: phrase('new_password.weak_username'),
    'app-name': phrase('new_password.weak_app_name'),
  };
}
