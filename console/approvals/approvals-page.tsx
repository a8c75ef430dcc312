/** The operations that wait or have waited for a second operator. */
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { Approval } from '../api/calls.js';
import { nameActor } from '../activity/actor-name.js';
import { approvalsQuery } from '../api/queries.js';
import { useAllowed } from '../session/session-context.js';
import { NotAllowedPage } from '../shell/error-pages.js';
import { DataTable, type Columns } from '../ui/data-table.js';
import { ListState } from '../ui/load-state.js';
import { Moment } from '../ui/moment.js';
import { PageHeading } from '../ui/page-heading.js';
import { Pager } from '../ui/pager.js';
import { UserText } from '../ui/user-text.js';
import { StateTag, useOperationName } from './approval-parts.js';

const route = getRouteApi('/gate/approvals');

export function ApprovalsPage() {
  const isAllowed = useAllowed();
  return isAllowed('approvals.list') ? <Approvals /> : <NotAllowedPage />;
}

function Approvals() {
  const { t } = useTranslation();
  const { cursor } = route.useSearch();
  const { data, error, refetch } = useQuery(approvalsQuery(cursor));
  return (
    <div className="page">
      <PageHeading title={t('nav.approvals')} />
      <p className="muted">{t('approvals.text')}</p>
      <ListState error={error} onRetry={() => void refetch()} rows={data?.approvals} none={t('approvals.none')}>
        <ApprovalTable approvals={data?.approvals ?? []} />
      </ListState>
      <Pager to="/approvals" filters={{ cursor }} nextCursor={data?.next_cursor} />
    </div>
  );
}

function ApprovalTable({ approvals }: { approvals: readonly Approval[] }) {
  const { t } = useTranslation();
  const nameOperation = useOperationName();
  const columns = useMemo(
    (): Columns<Approval> => [
      {
        id: 'operation',
        header: t('approvals.operation'),
        cell: ({ row: { original } }) => (
          <Link to="/approvals/$id" params={{ id: original.id }} className="row-link">
            {nameOperation(original.operation)}
          </Link>
        ),
      },
      {
        id: 'account',
        header: t('operators.person'),
        cell: ({ row: { original } }) => <UserText text={original.display_name ?? t('approvals.everybody')} />,
      },
      { id: 'state', header: t('people.status'), cell: ({ row }) => <StateTag state={row.original.state} /> },
      {
        id: 'asked_by',
        header: t('approvals.asked_by'),
        cell: ({ row }) => <UserText text={nameActor(row.original.asked_by, t)} />,
      },
      { id: 'asked', header: t('approvals.asked'), cell: ({ row }) => <Moment at={row.original.asked_at} isFirst /> },
    ],
    [t, nameOperation],
  );
  return (
    <div className="table-frame">
      <DataTable label={t('nav.approvals')} columns={columns} rows={approvals} toKey={({ id }) => id} />
    </div>
  );
}
