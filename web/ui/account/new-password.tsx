/** The fields for a new password and its repetition, with the strength meter and the password rules (VAL-2, VAL-3). */
import { useTranslation } from 'react-i18next';
import type { PasswordRules } from '../../../src/contract/manage-state.js';
import { scorePassword, type PasswordCheck, type StrengthScore } from '../../../src/contract/password-strength.js';
import { phrase, type MessageKey, type Phrase } from '../../i18n/phrase.js';
import { useCommonness, type Commonness } from '../../browser/common-passwords.js';
import { Field, type FieldWiring } from '../field.js';
import { DangerIcon } from '../icons.js';
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
  const commonness = useCommonness(password);
  const toListId = (name: string) => `${name}-rules`;
  return (
    <>
      <Field
        name={names.password}
        label={t('new_password.new')}
        alertId={alertIds.password}
        requiredMessage={t('new_password.new_missing')}
        details={
          <>
            <Strength score={scorePassword(password)} commonness={commonness} />
            <Checks id={toListId(names.password)} checks={checks.filter(({ rule }) => rule !== 'equal')} rules={rules} />
          </>
        }
      >
        {(wiring) => (
          <PasswordInput {...addListId(wiring, toListId(names.password))} autoComplete="new-password" autoFocus={autoFocus} />
        )}
      </Field>
      <Field
        name={names.repeat}
        label={t('new_password.repeat')}
        alertId={alertIds.repeat}
        requiredMessage={t('new_password.repeat_missing')}
        details={<Checks id={toListId(names.repeat)} checks={checks.filter(({ rule }) => rule === 'equal')} rules={rules} />}
      >
        {(wiring) => <PasswordInput {...addListId(wiring, toListId(names.repeat))} autoComplete="new-password" />}
      </Field>
    </>
  );
}

function addListId(wiring: FieldWiring, listId: string): FieldWiring {
  return { ...wiring, 'aria-describedby': [listId, wiring['aria-describedby']].filter(Boolean).join(' ') };
}

function Checks({ id, checks, rules }: { id: string; checks: readonly PasswordCheck[]; rules: PasswordRules }) {
  const { t } = useTranslation();
  return (
    <ul className="checks" id={id}>
      {checks.map(({ rule, ok }) => (
        <li key={rule} className={ok ? 'ok' : undefined}>
          {ok ? <CheckIcon /> : <NotYetIcon />}
          <span>
            {t(...toRulePhrase(rule, rules))}
            <span className="sr needs-script">, {t(ok ? 'new_password.rule_met' : 'new_password.rule_open')}</span>
          </span>
        </li>
      ))}
    </ul>
  );
}

function toRulePhrase(rule: PasswordCheck['rule'], rules: PasswordRules): Phrase {
  return rule === 'length'
    ? phrase('new_password.rule_length', { count: rules.min_length })
    : phrase(`new_password.rule_${rule}`);
}

/**
 * The strength meter. Its formula does not consider words, so the meter also shows whether the password is common, and is not green
 * before that is known.
 */
function Strength({ score, commonness }: { score: StrengthScore; commonness: Commonness }) {
  const { t } = useTranslation();
  const isCommon = commonness === 'common';
  const level = t(isCommon ? 'new_password.strength_common' : (LEVELS[score] ?? 'new_password.strength_none'));
  return (
    <>
      <div
        className="strength needs-script"
        data-score={score}
        data-commonness={commonness}
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
      <div className="needs-script" aria-live="polite">
        {isCommon && (
          <p className="error">
            <DangerIcon />
            {t('new_password.common')}
          </p>
        )}
      </div>
    </>
  );
}
