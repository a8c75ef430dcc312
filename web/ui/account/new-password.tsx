/** A new password and its repetition, with the strength meter and the live list of rules (VAL-2, VAL-3). */
import { useTranslation } from 'react-i18next';
import type { PasswordRules } from '../../../src/contract/manage-state.js';
import { passwordStrength } from '../../../src/contract/password-strength.js';
import type { PasswordCheck, StrengthScore } from '../../../src/contract/password-strength.js';
import { phrase } from '../../i18n/phrase.js';
import type { MessageKey, Phrase } from '../../i18n/phrase.js';
import { useIsCommon } from '../../browser/common-passwords.js';
import { Field } from '../field.js';
import { CheckIcon, NotYetIcon } from './icons.js';
import { PasswordInput } from '../password-input.js';
import '../../styles/account.css';

const LEVELS: readonly MessageKey[] = [
  'new_password.strength_none',
  'new_password.strength_lowest',
  'new_password.strength_low',
  'new_password.strength_fair',
  'new_password.strength_good',
  'new_password.strength_high',
];

interface Props {
  /** Names of the two form fields. */
  names: { password: string; repeat: string };
  /** The current value of the field. */
  password: string;
  checks: readonly PasswordCheck[];
  rules: PasswordRules;
  alertIds: { password: string | undefined; repeat: string | undefined };
  autoFocus?: boolean;
}

export function NewPassword({ names, password, checks, rules, alertIds, autoFocus = false }: Props) {
  const { t } = useTranslation();
  const isCommon = useIsCommon(password);
  return (
    <>
      <Field
        name={names.password}
        label={t('new_password.new')}
        alertId={alertIds.password}
        requiredMessage={t('new_password.new_missing')}
        below={<Strength score={passwordStrength(password)} isCommon={isCommon} />}
      >
        {(wiring) => <PasswordInput {...wiring} autoComplete="new-password" autoFocus={autoFocus} />}
      </Field>
      <Field
        name={names.repeat}
        label={t('new_password.repeat')}
        alertId={alertIds.repeat}
        requiredMessage={t('new_password.repeat_missing')}
      >
        {(wiring) => <PasswordInput {...wiring} autoComplete="new-password" />}
      </Field>
      <ul className="checks">
        {checks.map(({ rule, ok }) => (
          <li key={rule} className={ok ? 'ok' : undefined}>
            {ok ? <CheckIcon /> : <NotYetIcon />}
            <span>
              {t(...ruleText(rule, rules))}
              <span className="sr needs-script">: {t(ok ? 'new_password.rule_met' : 'new_password.rule_open')}</span>
            </span>
          </li>
        ))}
      </ul>
    </>
  );
}

function ruleText(rule: PasswordCheck['rule'], rules: PasswordRules): Phrase {
  return rule === 'length'
    ? phrase('new_password.rule_length', { count: rules.min_length })
    : phrase(`new_password.rule_${rule}`);
}

/** The formula of the meter knows no words, so a common password is named and never shown as strong. */
function Strength({ score, isCommon }: { score: StrengthScore; isCommon: boolean }) {
  const { t } = useTranslation();
  const level = t(isCommon ? 'new_password.strength_common' : (LEVELS[score] ?? 'new_password.strength_none'));
  return (
    <>
      <div
        className="strength needs-script"
        data-score={score}
        data-common={isCommon || undefined}
        role="meter"
        aria-label={t('new_password.strength')}
        aria-valuemin={0}
        aria-valuemax={5}
        aria-valuenow={score}
        aria-valuetext={level}
      >
        {[1, 2, 3, 4, 5].map((segment) => (
          <i key={segment} className={segment <= score ? 'on' : undefined} />
        ))}
      </div>
      <p className="hint split needs-script">
        <span>{t('new_password.strength')}</span>
        <span aria-live="polite">{level}</span>
      </p>
    </>
  );
}
