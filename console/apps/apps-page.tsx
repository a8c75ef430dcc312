/** The list of apps: the clients of Hydra, one page at a time, or those that match the typed text. */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link, getRouteApi } from '@tanstack/react-router';
import { useDeferredValue, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ClientSummary } from '../api/calls.js';
import { clientsQuery, searchQuery } from '../api/queries.js';
import { MAX_GLOBAL_SEARCH, findSearchFault } from '../people/people-filters.js';
import { useAllowed } from '../session/session-context.js';
import { NotAllowedPage } from '../shell/error-pages.js';
import { DataTable, type Columns } from '../ui/data-table.js';
import { Field } from '../ui/field.js';
import { PlusIcon } from '../ui/icons.js';
import { ListState } from '../ui/load-state.js';
import { Day } from '../ui/moment.js';
import { PageHeading } from '../ui/page-heading.js';
import { Pager } from '../ui/pager.js';
import { Tag } from '../ui/tag.js';
import { UserText } from '../ui/user-text.js';
import { CreateAppDialog } from './create-app-dialog.js';

const route = getRouteApi('/gate/apps');

export function AppsPage() {
  const isAllowed = useAllowed();
  return isAllowed('clients.list') ? <Apps /> : <NotAllowedPage />;
}

function Apps() {
  const { t } = useTranslation();
  const isAllowed = useAllowed();
  const { cursor } = route.useSearch();
  const { data, error, isPlaceholderData, refetch } = useQuery(clientsQuery(cursor));
  const [text, setText] = useState('');
  const { matches, search } = useMatchingApps(text.trim(), data?.clients);
  const rows = search.error === null ? (matches ?? data?.clients) : undefined;
  const [isCreating, setIsCreating] = useState(false);
  return (
    <div className="page">
      <div className="page-head">
        <PageHeading title={t('apps.title')} />
        {isAllowed('clients.create') && (
          <button type="button" className="button primary" data-action="create-app" onClick={() => setIsCreating(true)}>
            <PlusIcon /> {t('apps.create')}
          </button>
        )}
      </div>
      <AppSearch text={text} onType={setText} matches={matches} />
      <ListState
        error={search.error ?? error}
        onRetry={() => void (search.error === null ? refetch() : search.refetch())}
        rows={rows}
        none={t(matches === undefined ? 'apps.none' : 'apps.none_found')}
      >
        <AppsTable clients={rows ?? []} isOutdated={isPlaceholderData} />
      </ListState>
      {matches === undefined && <Pager to="/apps" filters={{ cursor }} nextCursor={data?.next_cursor} />}
      {isCreating && <CreateAppDialog onClose={() => setIsCreating(false)} />}
    </div>
  );
}

/** The search of the server returns at most this many apps. */
const MAX_MATCHES = 5;

/** An app that the search found on another page of the list has only its id and name. */
type ListedApp = Pick<ClientSummary, 'client_id' | 'client_name'> & Partial<ClientSummary>;

/**
 * Uses the search of Foyer, which compares the beginnings of words; Hydra compares whole names only.
 * @returns `matches` is undefined without a text that can be searched for, and until the server has answered for the first time
 */
function useMatchingApps(text: string, listedApps: readonly ClientSummary[] = []) {
  const deferredText = useDeferredValue(text);
  const canSearch = deferredText !== '' && findSearchFault(deferredText) === null;
  const search = useQuery({ ...searchQuery(deferredText), enabled: canSearch, placeholderData: keepPreviousData });
  const clients = canSearch ? search.data?.clients : undefined;
  const matches = clients?.map(
    ({ id, name }): ListedApp => listedApps.find(({ client_id: one }) => one === id) ?? { client_id: id, client_name: name },
  );
  return { matches, search };
}

interface AppSearchProps {
  text: string;
  onType(text: string): void;
  matches: readonly ListedApp[] | undefined;
}

function AppSearch({ text, onType, matches }: AppSearchProps) {
  const { t } = useTranslation();
  const isCut = matches?.length === MAX_MATCHES;
  return (
    <div className="stack tight">
      <Field label={t('apps.find')} className="short">
        {(wiring) => (
          <input
            {...wiring}
            type="search"
            autoComplete="off"
            maxLength={MAX_GLOBAL_SEARCH}
            value={text}
            onChange={({ currentTarget }) => onType(currentTarget.value)}
          />
        )}
      </Field>
      <p className={isCut ? 'hint' : 'only-heard'} role="status">
        {matches && t(isCut ? 'apps.found_most' : 'apps.found', { count: matches.length })}
      </p>
    </div>
  );
}

function AppsTable({ clients, isOutdated }: { clients: readonly ListedApp[]; isOutdated: boolean }) {
  const { t } = useTranslation();
  const columns = useMemo(
    (): Columns<ListedApp> => [
      { id: 'app', header: t('apps.app'), cell: ({ row }) => <AppCell client={row.original} /> },
      {
        id: 'owner',
        header: t('apps.field_owner'),
        cell: ({ row }) => row.original.owner && <UserText text={row.original.owner} />,
      },
      {
        id: 'secret',
        header: t('apps.secret'),
        cell: ({
          row: {
            original: { is_public: isPublic },
          },
        }) => isPublic !== undefined && <SecretTag isPublic={isPublic} />,
      },
      { id: 'changed', header: t('facts.changed'), cell: ({ row }) => <ChangedCell at={row.original.updated_at} /> },
    ],
    [t],
  );
  return (
    <div className="table-frame">
      <DataTable
        className="apps"
        label={t('apps.title')}
        columns={columns}
        rows={clients}
        toKey={({ client_id: id }) => id}
        isOutdated={isOutdated}
      />
    </div>
  );
}

function AppCell({ client: { client_id: id, client_name: name } }: { client: ListedApp }) {
  return (
    <div className="app-cell">
      <Link to="/apps/$client" params={{ client: id }} className="row-link">
        <UserText text={name || id} />
      </Link>{' '}
      <code className="muted">
        <UserText text={id} />
      </code>
    </div>
  );
}

const ChangedCell = ({ at }: { at: string | null | undefined }) => (at ? <Day at={at} /> : null);

export function SecretTag({ isPublic }: { isPublic: boolean }) {
  const { t } = useTranslation();
  return <Tag>{t(isPublic ? 'apps.without_secret' : 'apps.with_secret')}</Tag>;
}
