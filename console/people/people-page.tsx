/** The list of people: searched by the box at the top, filtered here, one page at a time. */
import { useQuery } from '@tanstack/react-query';
import { Link, getRouteApi } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { AccountPage, ListedAccount } from '../api/calls.js';
import { accountsQuery } from '../api/queries.js';
import { JobLinks } from '../jobs/start-job.js';
import { useRetry } from '../api/query-client.js';
import { useAllowed } from '../session/session-context.js';
import { NotAllowedPage } from '../shell/error-pages.js';
import { DataTable, type Columns } from '../ui/data-table.js';
import { FaultAlert } from '../ui/fault-alert.js';
import { SuccessIcon } from '../ui/icons.js';
import { Initials } from '../ui/initials.js';
import { Empty, Loading } from '../ui/load-state.js';
import { Day } from '../ui/moment.js';
import { PageHeading } from '../ui/page-heading.js';
import { Pager } from '../ui/pager.js';
import { SavedFilters } from '../ui/saved-filters.js';
import { UserText } from '../ui/user-text.js';
import { CreatePersonDialog } from './create-person-dialog.js';
import { PeopleFilterBar } from './people-filter-bar.js';
import { FoundClients } from './found-clients.js';
import { findSearchFault, isUuid } from './people-filters.js';
import { StatusTag } from './status-tags.js';

const route = getRouteApi('/gate/people');

export function PeoplePage() {
  const isAllowed = useAllowed();
  return isAllowed('accounts.list') ? <People /> : <NotAllowedPage />;
}

function People() {
  const { t } = useTranslation();
  const filters = route.useSearch();
  const retry = useRetry();
  const fault = findSearchFault(filters.search ?? '');
  const { data, error, isPlaceholderData } = useQuery({ ...accountsQuery(filters), enabled: fault === null });
  return (
    <div className="page">
      <div className="page-head">
        <PageHeading title={t('people.title')} />
        <div className="row wrap">
          <CreateButton />
          <JobLinks filters={filters} />
        </div>
      </div>
      <PeopleFilterBar filters={filters} />
      {error === null && <SavedFilters page="people" />}
      <FoundClients text={filters.search ?? ''} />
      {error !== null && <FaultAlert error={error} onRetry={retry} />}
      {fault !== null && <Empty>{t(fault === 'no_word' ? 'search.no_word' : 'people.too_long')}</Empty>}
      {data === undefined && error === null && fault === null && <Loading />}
      {data !== undefined && error === null && fault === null && <FoundPeople page={data} isOutdated={isPlaceholderData} />}
    </div>
  );
}

function CreateButton() {
  const { t } = useTranslation();
  const isAllowed = useAllowed();
  const [isOpen, setIsOpen] = useState(false);
  if (!isAllowed('accounts.create')) return null;
  return (
    <>
      <button type="button" className="button" data-action="create" onClick={() => setIsOpen(true)}>
        {t('create.title')}
      </button>
      {isOpen && <CreatePersonDialog onClose={() => setIsOpen(false)} />}
    </>
  );
}

function FoundPeople({ page: { accounts, next_cursor: nextCursor }, isOutdated }: { page: AccountPage; isOutdated: boolean }) {
  const filters = route.useSearch();
  return (
    <>
      <Count count={accounts.length} hasMore={nextCursor !== undefined} />
      {accounts.length === 0 ? <NobodyFound /> : <PeopleTable accounts={accounts} isOutdated={isOutdated} />}
      <Pager to="/people" filters={filters} nextCursor={nextCursor} />
    </>
  );
}

/** The number of people in the list, for screen readers. */
function Count({ count, hasMore }: { count: number; hasMore: boolean }) {
  const { t } = useTranslation();
  return (
    <p className="only-heard" role="status">
      {t('people.count', { count })} {hasMore && t('people.more')}
    </p>
  );
}

function NobodyFound() {
  const { t } = useTranslation();
  const filters = route.useSearch();
  const { search } = filters;
  const isFiltered = Object.values(filters).some((value) => value !== undefined);
  return (
    <Empty>
      <p>{search === undefined ? t('people.none') : t('people.none_found')}</p>
      {search !== undefined && <p>{t(isUuid(search) ? 'people.none_id' : 'people.none_hint')}</p>}
      {isFiltered && (
        <Link to="/people" search={{}} className="button">
          {t('people.show_all')}
        </Link>
      )}
    </Empty>
  );
}

function PeopleTable({ accounts, isOutdated }: { accounts: readonly ListedAccount[]; isOutdated: boolean }) {
  const { t } = useTranslation();
  const columns = useMemo(
    (): Columns<ListedAccount> => [
      { id: 'person', header: t('people.person'), cell: ({ row }) => <PersonCell account={row.original} /> },
      { id: 'email', header: t('people.address'), cell: ({ row }) => <AddressCell account={row.original} /> },
      { id: 'groups', header: t('people.groups'), cell: ({ row }) => <GroupsCell groups={row.original.groups} /> },
      { id: 'status', header: t('people.status'), cell: ({ row }) => <StatusTag status={row.original.status} /> },
      { id: 'signed_in', header: t('people.signed_in'), cell: ({ row }) => <SignInCell account={row.original} /> },
      { id: 'created', header: t('people.created'), cell: ({ row }) => <Day at={row.original.created_at} /> },
    ],
    [t],
  );
  return (
    <div className="table-frame">
      <DataTable
        className="people"
        label={t('people.title')}
        columns={columns}
        rows={accounts}
        toKey={({ id }) => id}
        isOutdated={isOutdated}
      />
    </div>
  );
}

function PersonCell({ account: { id, display_name: name, username } }: { account: ListedAccount }) {
  return (
    <div className="who">
      <Initials name={name} />
      <Link to="/people/$id" params={{ id }} className="row-link">
        <UserText text={name} />
      </Link>
      <span className="muted">
        <UserText text={username} />
      </span>
    </div>
  );
}

function AddressCell({ account: { email, email_verified: isVerified } }: { account: ListedAccount }) {
  const { t } = useTranslation();
  if (email === null) return <span className="muted">{t('people.no_address')}</span>;
  return (
    <span className="address">
      <UserText text={email} />{' '}
      {isVerified && (
        <span className="verified" title={t('person.verified')}>
          <SuccessIcon />
          <span className="only-heard">{t('person.verified')}</span>
        </span>
      )}
    </span>
  );
}

function SignInCell({ account: { last_sign_in_at: at } }: { account: ListedAccount }) {
  const { t } = useTranslation();
  return at === null ? <span className="muted">{t('people.never')}</span> : <Day at={at} />;
}

/** How many groups a row names. */
const NAMED_GROUP_COUNT = 2;

function GroupsCell({ groups }: { groups: readonly string[] }) {
  const { t } = useTranslation();
  const rest = groups.length - NAMED_GROUP_COUNT;
  // On a phone an empty cell has no row.
  if (groups.length === 0) return null;
  return (
    <span className="groups">
      {groups.slice(0, NAMED_GROUP_COUNT).map((group, index) => (
        <span key={group}>
          {index > 0 && ', '}
          <UserText text={group} />
        </span>
      ))}
      {rest > 0 && <span className="muted"> {t('people.further_groups', { count: rest })}</span>}
    </span>
  );
}
