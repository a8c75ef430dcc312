/** A search field with which an operator chooses a person. */
import { useQuery } from '@tanstack/react-query';
import { useDeferredValue, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Account } from '../api/calls.js';
import { candidatesQuery } from '../api/queries.js';
import { ExactInput } from '../ui/exact-input.js';
import { FaultAlert } from '../ui/fault-alert.js';
import { Field } from '../ui/field.js';
import { UserText } from '../ui/user-text.js';
import { findSearchFault } from './people-filters.js';

interface PersonChoiceProps {
  person: Account | null;
  isMissing: boolean;
  onChoose(person: Account | null): void;
}

export function PersonChoice({ person, isMissing, onChoose }: PersonChoiceProps) {
  const { t } = useTranslation();
  const options = useRef<HTMLDivElement>(null);
  const [text, setText] = useState('');
  const search = useDeferredValue(text.trim());
  const canSearch = search.length > 1 && findSearchFault(search) === null;
  const { data, error, isPlaceholderData } = useQuery({ ...candidatesQuery(search), enabled: canSearch });
  const result = canSearch ? data : undefined;
  const matches = result?.accounts ?? [];
  const candidates = person && !matches.some(({ id }) => id === person.id) ? [person, ...matches] : matches;
  return (
    <div className="stack tight">
      <Field label={t('operators.person')} error={isMissing ? t('operators.person_missing') : undefined}>
        {(wiring) => (
          <ExactInput
            {...wiring}
            type="search"
            maxLength={200}
            placeholder={t('operators.person_placeholder')}
            value={text}
            onChange={setText}
            onKeyDown={(event) => {
              const [firstCandidate] = candidates;
              if (!firstCandidate || !['ArrowDown', 'Enter'].includes(event.key) || event.nativeEvent.isComposing) return;
              // Enter submits the form once a person is chosen.
              if (event.key === 'Enter' && person !== null) return;
              event.preventDefault();
              // The first of the people whom the text before has found could be another person.
              if (isPlaceholderData || search !== text.trim()) return;
              onChoose(firstCandidate);
              if (event.key === 'ArrowDown') options.current?.querySelector('input')?.focus();
            }}
          />
        )}
      </Field>
      {error !== null && <FaultAlert error={error} />}
      <p className={result && candidates.length === 0 ? 'hint' : 'only-heard'} role="status">
        {result && (candidates.length === 0 ? t('people.none_found') : t('people.count', { count: matches.length }))}
      </p>
      <div ref={options}>{candidates.length > 0 && <Candidates accounts={candidates} person={person} onChoose={onChoose} />}</div>
    </div>
  );
}

interface CandidatesProps {
  accounts: readonly Account[];
  person: Account | null;
  onChoose(person: Account): void;
}

function Candidates({ accounts, person, onChoose }: CandidatesProps) {
  const { t } = useTranslation();
  return (
    <fieldset className="options">
      <legend className="only-heard">{t('operators.person')}</legend>
      {accounts.map((account) => (
        <label key={account.id} className="option">
          <input type="radio" name="person" checked={person?.id === account.id} onChange={() => onChoose(account)} />
          <span>
            <b>
              <UserText text={account.display_name} />
            </b>{' '}
            <span className="muted">
              <UserText text={account.username} />
              {account.email !== null && (
                <>
                  {' · '}
                  <UserText text={account.email} />
                </>
              )}
            </span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}
