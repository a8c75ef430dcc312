/** The list of apps: the clients of Hydra, one page at a time, or those whose names begin with what was typed. */
import { useQuery } from '@tanstack/react-query';
import { Link, getRouteApi } from '@tanstack/react-router';
import { useDeferredValue, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ClientSummary } from '../api/calls.js';
import { clientsQuery, searchQuery } from '../api/queries.js';
import { MAX_FOUND, findSearchFault } from '../people/people-filters.js';
import { useAllowed } from '../session/session-context.js';
import { NotAllowedPage } from '../shell/error-pages.js';
import { DataTable, type Columns } from '../ui/data-table.js';
import { FaultAlert } from '../ui/fault-alert.js';
import { Field } from '../ui/field.js';
import { PlusIcon } from '../ui/icons.js';
import { Empty, Loading } from '../ui/load-state.js';
import { Day } from '../ui/moment.js';
import { PageHeading } from '../ui/page-heading.js';
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
  const [typed, setTyped] = useState('');
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
      <div>
        <Field label={t('apps.find')} className="short">
          {(given) => (
            <input
              {...given}
              type="search"
              autoComplete="off"
              maxLength={MAX_FOUND}
              value={typed}
              onChange={({ currentTarget }) => setTyped(currentTarget.value)}
            />
          )}
        </Field>
        <FoundApps text={typed.trim()} />
      </div>
      {error !== null && <FaultAlert error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <Loading />}
      {data?.clients.length === 0 && <Empty>{t('apps.none')}</Empty>}
      {data !== undefined && data.clients.length > 0 && <AppsTable clients={data.clients} isOutdated={isPlaceholderData} />}
      <AppsPager cursor={cursor} next={data?.next_cursor} />
      {isCreating && <CreateAppDialog onClose={() => setIsCreating(false)} />}
    </div>
  );
}

/** Hydra compares whole names only, so the search of the server finds apps by the beginnings of words. */
function FoundApps({ text }: { text: string }) {
  const { t } = useTranslation();
  const search = useDeferredValue(text);
  const isAsked = search !== '' && findSearchFault(search) === null;
  const { data } = useQuery({ ...searchQuery(search), enabled: isAsked });
  const clients = isAsked ? data?.clients : undefined;
  return (
    <div className="found-apps" role="status">
      {clients?.length === 0 && <p className="hint">{t('apps.none_found')}</p>}
      {clients !== undefined && clients.length > 0 && (
        <ul className="row wrap plain-list">
          {clients.map(({ id, name }) => (
            <li key={id}>
              <Link to="/apps/$client" params={{ client: id }}>
                <UserText text={name || id} />
              </Link>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function AppsPager({ cursor, next }: { cursor: string | undefined; next: string | undefined }) {
  const { t } = useTranslation();
  if (cursor === undefined && next === undefined) return null;
  return (
    <nav className="pager" aria-label={t('pager.label')}>
      {cursor === undefined ? (
        <span />
      ) : (
        <Link to="/apps" search={{}} className="button">
          {t('pager.first')}
        </Link>
      )}
      {next !== undefined && (
        <Link to="/apps" search={{ cursor: next }} className="button">
          {t('pager.next')}
        </Link>
      )}
    </nav>
  );
}

function AppsTable({ clients, isOutdated }: { clients: readonly ClientSummary[]; isOutdated: boolean }) {
  const { t } = useTranslation();
  const columns = useMemo(
    (): Columns<ClientSummary> => [
      { id: 'app', header: t('apps.app'), cell: ({ row }) => <AppCell client={row.original} /> },
      {
        id: 'owner',
        header: t('apps.field_owner'),
        cell: ({ row }) => row.original.owner && <UserText text={row.original.owner} />,
      },
      { id: 'secret', header: t('apps.secret'), cell: ({ row }) => <SecretTag isPublic={row.original.is_public} /> },
      { id: 'changed', header: t('facts.changed'), cell: ({ row }) => <Changed at={row.original.updated_at} /> },
    ],
    [t],
  );
  return (
    <div className="table-frame">
      <DataTable className="apps" label={t('apps.title')} columns={columns} rows={clients} isOutdated={isOutdated} />
    </div>
  );
}

function AppCell({ client: { client_id: id, client_name: name } }: { client: ClientSummary }) {
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

const Changed = ({ at }: { at: string | null }) => (at === null ? null : <Day at={at} />);

export function SecretTag({ isPublic }: { isPublic: boolean }) {
  const { t } = useTranslation();
  return <Tag>{t(isPublic ? 'apps.without_secret' : 'apps.with_secret')}</Tag>;
}
