/**
 * The filter "By". It offers the operators of the list, as far as the rights allow to read it, and those of the events that are shown;
 * any other operator or token is typed.
 */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { AuditEntry } from '../api/calls.js';
import { knownOperatorsQuery } from '../api/queries.js';
import { useAllowed } from '../session/session-context.js';
import { Field } from '../ui/field.js';
import { toVisibleText } from '../ui/visible-text.js';
import { isActor } from './activity-filters.js';
import { isByOperator } from './event-words.js';

const BY = 'operator:';
/** The choice that shows a field. No actor has this name. */
const TYPED = 'typed';

interface ActorFilterProps {
  actor: string | undefined;
  /** The events that are shown. */
  entries: readonly AuditEntry[];
  apply(given: { actor: string | undefined }): void;
}

export function ActorFilter({ actor, entries, apply }: ActorFilterProps) {
  const { t } = useTranslation();
  const isAllowed = useAllowed();
  const [isTyping, setIsTyping] = useState(false);
  const { data } = useQuery({ ...knownOperatorsQuery, enabled: isAllowed('operators.list') });
  const listed = (data?.operators ?? []).map(({ username }) => BY + username);
  const seen = [...entries.map((entry) => entry.actor), actor ?? ''].filter((one) => isByOperator(one) && one !== 'operator');
  const operators = [...new Set([...listed, ...seen])].filter(isActor).sort();
  return (
    <>
      <Field label={t('activity.actor')}>
        {(given) => (
          <select
            {...given}
            value={isTyping ? TYPED : (actor ?? '')}
            onChange={({ currentTarget: { value } }) => {
              setIsTyping(value === TYPED);
              if (value !== TYPED) apply({ actor: value || undefined });
            }}
          >
            <option value="">{t('filter.any')}</option>
            <option value="person">{t('actor.person')}</option>
            <option value="system">{t('actor.system')}</option>
            <option value="operator">{t('actor.any_operator')}</option>
            {operators.length > 0 && (
              <optgroup label={t('installation.operators')}>
                {operators.map((one) => (
                  <option key={one} value={one}>
                    {toVisibleText(one.slice(BY.length))}
                  </option>
                ))}
              </optgroup>
            )}
            <option value={TYPED}>{t('actor.typed')}</option>
          </select>
        )}
      </Field>
      {isTyping && (
        <TypedActor
          onApply={(name) => {
            setIsTyping(false);
            apply({ actor: BY + name });
          }}
        />
      )}
    </>
  );
}

function TypedActor({ onApply }: { onApply(name: string): void }) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState('');
  const [isTried, setIsTried] = useState(false);
  const name = typed.trim();
  const isWrong = name !== '' && !isActor(BY + name);
  const submit = (): void => {
    setIsTried(true);
    if (name !== '' && !isWrong) onApply(name);
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <Field label={t('actor.name')} error={isWrong && isTried ? t('actor.name_wrong') : undefined}>
        {(given) => (
          <input
            {...given}
            type="search"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            maxLength={64}
            value={typed}
            onChange={({ currentTarget }) => setTyped(currentTarget.value)}
            onBlur={submit}
          />
        )}
      </Field>
    </form>
  );
}
