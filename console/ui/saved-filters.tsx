/** The filters of a list that the operator has saved under a name. The server stores them, for every browser of the operator. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api, unwrap, type SavedFilter } from '../api/calls.js';
import { savedFiltersQuery } from '../api/queries.js';
import { Dialog } from './dialog.js';
import { FaultAlert } from './fault-alert.js';
import { Field } from './field.js';
import { CloseIcon } from './icons.js';
import { UserText } from './user-text.js';
import { toVisibleText } from './visible-text.js';

export function SavedFilters({ page }: { page: SavedFilter['page'] }) {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery(savedFiltersQuery);
  const savedFilters = (data?.filters ?? []).filter((one) => one.page === page);
  if (savedFilters.length === 0 && error === null) return null;
  return (
    <section className="saved-filters row wrap" aria-label={t('saved.title')}>
      {error !== null && <FaultAlert error={error} onRetry={() => void refetch()} />}
      {savedFilters.length > 0 && <b>{t('saved.title')}</b>}
      {savedFilters.map((savedFilter) => (
        <SavedLink key={savedFilter.id} savedFilter={savedFilter} />
      ))}
    </section>
  );
}

interface SaveFilterProps {
  page: SavedFilter['page'];
  /** The filters that are set now, with their values. */
  filters: object;
}

/** The button beside the filters, while a filter is set. */
export function SaveFilter({ page, filters }: SaveFilterProps) {
  const { t } = useTranslation();
  const [isNaming, setIsNaming] = useState(false);
  const currentFilter = toFilter(filters);
  if (Object.keys(currentFilter).length === 0) return null;
  return (
    <>
      <button type="button" className="button" data-action="save_filter" onClick={() => setIsNaming(true)}>
        {t('saved.save')}
      </button>
      {isNaming && <SaveDialog page={page} filter={currentFilter} onClose={() => setIsNaming(false)} />}
    </>
  );
}

function SavedLink({ savedFilter: { id, page, name, filter } }: { savedFilter: SavedFilter }) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const [error, setError] = useState<unknown>(null);
  const remove = async (): Promise<void> => {
    try {
      await unwrap(api.DELETE('/operator/v1/filters/{filter}', { params: { path: { filter: id } } }));
    } catch (cause) {
      setError(cause);
    }
    await client.invalidateQueries({ queryKey: savedFiltersQuery.queryKey });
  };
  return (
    <span className="row">
      <Link to={page === 'people' ? '/people' : '/activity'} search={filter}>
        <UserText text={name} />
      </Link>
      <button
        type="button"
        className="icon-button small"
        aria-label={t('saved.remove', { name: toVisibleText(name) })}
        onClick={() => void remove()}
      >
        <CloseIcon />
      </button>
      {error !== null && <FaultAlert error={error} />}
    </span>
  );
}

interface SaveDialogProps {
  page: SavedFilter['page'];
  filter: Record<string, string>;
  onClose(): void;
}

const MAX_NAME = 60;

function SaveDialog({ page, filter, onClose }: SaveDialogProps) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const [name, setName] = useState('');
  const [isTried, setIsTried] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const save = async (): Promise<void> => {
    setIsTried(true);
    if (name.trim() === '') return;
    try {
      await unwrap(api.POST('/operator/v1/filters', { body: { page, name: name.trim(), filter } }));
      await client.invalidateQueries({ queryKey: savedFiltersQuery.queryKey });
      onClose();
    } catch (cause) {
      setError(cause);
    }
  };
  return (
    <Dialog title={t('saved.save')} onClose={onClose} className="narrow">
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <div className="dialog-body">
          <NameField name={name} isMissing={isTried && name.trim() === ''} onChange={setName} />
          {error !== null && <FaultAlert error={error} />}
        </div>
        <div className="dialog-foot">
          <button type="button" className="button" onClick={onClose}>
            {t('dialog.cancel')}
          </button>
          <button type="submit" className="button primary">
            {t('saved.confirm')}
          </button>
        </div>
      </form>
    </Dialog>
  );
}

function NameField({ name, isMissing, onChange }: { name: string; isMissing: boolean; onChange(name: string): void }) {
  const { t } = useTranslation();
  return (
    <Field label={t('saved.name')} hint={t('saved.hint')} error={isMissing ? t('saved.missing') : undefined}>
      {(wiring) => (
        <input
          {...wiring}
          autoComplete="off"
          maxLength={MAX_NAME}
          value={name}
          onChange={({ currentTarget }) => onChange(currentTarget.value)}
        />
      )}
    </Field>
  );
}

/** @returns the filters that are set, without the cursor */
function toFilter(filters: object): Record<string, string> {
  const entries = Object.entries(filters).filter(([name, value]) => name !== 'cursor' && value !== undefined);
  return Object.fromEntries(entries.map(([name, value]) => [name, String(value)]));
}
