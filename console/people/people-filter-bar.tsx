/** The filters of the list of people. Each change is a new address, so Back undoes it. */
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Field } from '../ui/field.js';
import { FilterPanel } from '../ui/filter-panel.js';
import { SaveFilter } from '../ui/saved-filters.js';
import { SubmittedField } from '../ui/submitted-field.js';
import { TimeField } from '../ui/time-field.js';
import { listActiveFilters, type PeopleFilters } from './people-filters.js';

/** The longest name of a group or source. */
const MAX_NAME = 200;

type Apply = (changes: PeopleFilters) => void;

export function PeopleFilterBar({ filters }: { filters: PeopleFilters }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const apply: Apply = (changes) => void navigate({ to: '/people', search: { ...filters, cursor: undefined, ...changes } });
  const activeCount = listActiveFilters(filters).length;
  return (
    <FilterPanel activeCount={activeCount}>
      <StatusFilter status={filters.status} apply={apply} />
      <SubmittedField
        key={`group ${filters.group ?? ''}`}
        label={t('people.group')}
        placeholder={t('people.group_placeholder')}
        maxLength={MAX_NAME}
        value={filters.group}
        onSubmit={(group) => apply({ group: group || undefined })}
      />
      <SourceFilter filters={filters} apply={apply} />
      <SignInFilter filters={filters} apply={apply} />
      <div className="row wrap">
        {activeCount > 0 && (
          <button
            type="button"
            className="button"
            onClick={() =>
              void navigate({ to: '/people', search: filters.search === undefined ? {} : { search: filters.search } })
            }
          >
            {t('filter.clear')}
          </button>
        )}
        <SaveFilter page="people" filters={filters} />
      </div>
    </FilterPanel>
  );
}

function StatusFilter({ status, apply }: { status: PeopleFilters['status']; apply: Apply }) {
  const { t } = useTranslation();
  return (
    <Field label={t('people.status')}>
      {(wiring) => (
        <select
          {...wiring}
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

interface FilterProps {
  filters: PeopleFilters;
  apply: Apply;
}

function SourceFilter({ filters: { source, local }, apply }: FilterProps) {
  const { t } = useTranslation();
  const [isTyping, setIsTyping] = useState(source !== undefined);
  const isNamed = source !== undefined || (isTyping && local === undefined);
  return (
    <>
      <Field label={t('people.source')}>
        {(wiring) => (
          <select
            {...wiring}
            value={isNamed ? 'named' : local === 'true' ? 'local' : ''}
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
      {isNamed && (
        <SubmittedField
          key={`source ${source ?? ''}`}
          label={t('people.source_name')}
          placeholder={t('people.source_placeholder')}
          maxLength={MAX_NAME}
          value={source}
          onSubmit={(name) => apply({ source: name || undefined })}
        />
      )}
    </>
  );
}

const MODES = ['never_signed_in', 'signed_in_before', 'signed_in_since'] as const;
type Mode = (typeof MODES)[number];

const NO_SIGN_IN_FILTER: PeopleFilters = { never_signed_in: undefined, signed_in_before: undefined, signed_in_since: undefined };

function SignInFilter({ filters, apply }: FilterProps) {
  const { t } = useTranslation();
  const [chosenMode, setChosenMode] = useState<Mode | undefined>();
  const mode = MODES.find((one) => filters[one] !== undefined) ?? chosenMode;
  return (
    <>
      <Field label={t('people.signed_in')}>
        {(wiring) => (
          <select
            {...wiring}
            value={mode ?? ''}
            onChange={({ currentTarget: { value } }) => {
              const newMode = MODES.find((one) => one === value);
              setChosenMode(newMode);
              apply({ ...NO_SIGN_IN_FILTER, ...(newMode === 'never_signed_in' ? { never_signed_in: 'true' } : {}) });
            }}
          >
            <option value="">{t('filter.any')}</option>
            {MODES.map((option) => (
              <option key={option} value={option}>
                {t(`people.${option}`)}
              </option>
            ))}
          </select>
        )}
      </Field>
      {mode !== undefined && mode !== 'never_signed_in' && (
        <TimeField
          label={t(`people.${mode}`)}
          value={filters[mode]}
          onChange={(time) => {
            // Otherwise the field would disappear while its time is incomplete.
            setChosenMode(mode);
            apply({ ...NO_SIGN_IN_FILTER, [mode]: time });
          }}
        />
      )}
    </>
  );
}
