/** The filters of the list of people. Each change is a new address, so Back takes it away again. */
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { fromLocalField, toLocalField } from '../activity/local-times.js';
import { Field } from '../ui/field.js';
import { FilterPanel } from '../ui/filter-panel.js';
import { listActive, type PeopleFilters } from './people-filters.js';

type Apply = (given: PeopleFilters) => void;

export function PeopleFilterBar({ filters }: { filters: PeopleFilters }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const apply: Apply = (given) => void navigate({ to: '/people', search: { ...filters, cursor: undefined, ...given } });
  const active = listActive(filters).length;
  return (
    <FilterPanel active={active}>
      <StatusFilter status={filters.status} apply={apply} />
      <TextFilter name="group" value={filters.group} apply={apply} key={`group ${filters.group ?? ''}`} />
      <SourceFilter filters={filters} apply={apply} />
      <SignInFilter filters={filters} apply={apply} />
      {active > 0 && (
        <button
          type="button"
          className="button"
          onClick={() => void navigate({ to: '/people', search: filters.search === undefined ? {} : { search: filters.search } })}
        >
          {t('filter.clear')}
        </button>
      )}
    </FilterPanel>
  );
}

function StatusFilter({ status, apply }: { status: PeopleFilters['status']; apply: Apply }) {
  const { t } = useTranslation();
  return (
    <Field label={t('people.status')}>
      {(given) => (
        <select
          {...given}
          value={status ?? ''}
          onChange={({ currentTarget: { value } }) =>
            apply({ status: value === 'active' || value === 'disabled' ? value : undefined })
          }
        >
          <option value="">{t('filter.any')}</option>
          <option value="active">{t('status.active')}</option>
          <option value="disabled">{t('status.disabled')}</option>
        </select>
      )}
    </Field>
  );
}

interface TextFilterProps {
  name: 'group' | 'source';
  value: string | undefined;
  apply: Apply;
}

/** The server compares the whole text, so the list changes when it is complete. */
function TextFilter({ name, value = '', apply }: TextFilterProps) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState(value);
  const submit = (): void => {
    if (typed.trim() !== value) apply({ [name]: typed.trim() || undefined });
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <Field label={t(name === 'group' ? 'people.group' : 'people.source_name')}>
        {(given) => (
          <input
            {...given}
            type="search"
            autoComplete="off"
            maxLength={200}
            placeholder={t(name === 'group' ? 'people.group_placeholder' : 'people.source_placeholder')}
            value={typed}
            onChange={({ currentTarget }) => setTyped(currentTarget.value)}
            onBlur={submit}
          />
        )}
      </Field>
    </form>
  );
}

interface FilterProps {
  filters: PeopleFilters;
  apply: Apply;
}

function SourceFilter({ filters: { source, local }, apply }: FilterProps) {
  const { t } = useTranslation();
  const [isTyping, setIsTyping] = useState(source !== undefined);
  const kept = local === 'true' ? 'local' : '';
  return (
    <>
      <Field label={t('people.source')}>
        {(given) => (
          <select
            {...given}
            value={isTyping || source !== undefined ? 'named' : kept}
            onChange={({ currentTarget: { value } }) => {
              setIsTyping(value === 'named');
              apply({ source: undefined, local: value === 'local' ? 'true' : undefined });
            }}
          >
            <option value="">{t('filter.any')}</option>
            <option value="local">{t('people.local')}</option>
            <option value="named">{t('people.source_named')}</option>
          </select>
        )}
      </Field>
      {(isTyping || source !== undefined) && (
        <TextFilter name="source" value={source} apply={apply} key={`source ${source ?? ''}`} />
      )}
    </>
  );
}

const MODES = ['never_signed_in', 'signed_in_before', 'signed_in_since'] as const;
type Mode = (typeof MODES)[number];

const NO_SIGN_IN: PeopleFilters = { never_signed_in: undefined, signed_in_before: undefined, signed_in_since: undefined };

function SignInFilter({ filters, apply }: FilterProps) {
  const { t } = useTranslation();
  const [chosen, setChosen] = useState<Mode | undefined>();
  const mode = MODES.find((one) => filters[one] !== undefined) ?? chosen;
  return (
    <>
      <Field label={t('people.signed_in')}>
        {(given) => (
          <select
            {...given}
            value={mode ?? ''}
            onChange={({ currentTarget: { value } }) => {
              const next = MODES.find((one) => one === value);
              setChosen(next);
              apply({ ...NO_SIGN_IN, ...(next === 'never_signed_in' ? { never_signed_in: 'true' } : {}) });
            }}
          >
            <option value="">{t('filter.any')}</option>
            {MODES.map((one) => (
              <option key={one} value={one}>
                {t(`people.${one}`)}
              </option>
            ))}
          </select>
        )}
      </Field>
      {mode !== undefined && mode !== 'never_signed_in' && (
        <Field label={t(`people.${mode}`)} className="time">
          {(given) => (
            <input
              {...given}
              type="datetime-local"
              value={toLocalField(filters[mode])}
              onChange={({ currentTarget }) => apply({ ...NO_SIGN_IN, [mode]: fromLocalField(currentTarget.value) })}
            />
          )}
        </Field>
      )}
    </>
  );
}
