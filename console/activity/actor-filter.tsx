/**
 * The filter "By". It offers the operators of the installation, if the rights allow listing them, and the operators of the shown events;
 * the name of any other operator or token is typed.
 */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { AuditEntry } from '../api/calls.js';
import { knownOperatorsQuery } from '../api/queries.js';
import { useAllowed } from '../session/session-context.js';
import { Field } from '../ui/field.js';
import { SubmittedField } from '../ui/submitted-field.js';
import { toVisibleText } from '../ui/visible-text.js';
import { isActor } from './activity-filters.js';
import { isByOperator } from './event-words.js';

const OPERATOR_PREFIX = 'operator:';
/** The option that shows a text field. No actor has this name. */
const TYPED_OPTION = 'typed';

interface ActorFilterProps {
  actor: string | undefined;
  /** The shown events. */
  entries: readonly AuditEntry[];
  apply(changes: { actor: string | undefined }): void;
}

export function ActorFilter({ actor, entries, apply }: ActorFilterProps) {
  const { t } = useTranslation();
  const isAllowed = useAllowed();
  const [isTyping, setIsTyping] = useState(false);
  const { data } = useQuery({ ...knownOperatorsQuery, enabled: isAllowed('operators.list') });
  const knownOperators = (data?.operators ?? []).map(({ username }) => OPERATOR_PREFIX + username);
  const shownOperators = [...entries.map((entry) => entry.actor), actor ?? ''].filter(
    (one) => isByOperator(one) && one !== 'operator',
  );
  const operators = [...new Set([...knownOperators, ...shownOperators])].filter(isActor).sort();
  return (
    <>
      <Field label={t('activity.actor')}>
        {(wiring) => (
          <select
            {...wiring}
            value={isTyping ? TYPED_OPTION : (actor ?? '')}
            onChange={({ currentTarget: { value } }) => {
              setIsTyping(value === TYPED_OPTION);
              if (value !== TYPED_OPTION) apply({ actor: value || undefined });
            }}
          >
            <option value="">{t('filter.any')}</option>
            <option value="person">{t('actor.person')}</option>
            <option value="system">{t('actor.system')}</option>
            <option value="operator">{t('actor.any_operator')}</option>
            {operators.length > 0 && <OperatorOptions operators={operators} />}
            <option value={TYPED_OPTION}>{t('actor.typed')}</option>
          </select>
        )}
      </Field>
      {isTyping && (
        <SubmittedField
          label={t('actor.name')}
          maxLength={64}
          findFault={(name) => (isActor(OPERATOR_PREFIX + name) ? undefined : t('actor.name_wrong'))}
          onSubmit={(name) => {
            setIsTyping(false);
            apply({ actor: OPERATOR_PREFIX + name });
          }}
        />
      )}
    </>
  );
}

function OperatorOptions({ operators }: { operators: readonly string[] }) {
  const { t } = useTranslation();
  return (
    <optgroup label={t('installation.operators')}>
      {operators.map((operator) => (
        <option key={operator} value={operator}>
          {toVisibleText(operator.slice(OPERATOR_PREFIX.length))}
        </option>
      ))}
    </optgroup>
  );
}
