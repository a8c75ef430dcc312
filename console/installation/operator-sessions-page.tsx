/** Who is signed in to the console now; each session can be ended. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api, complete, toReasonHeader, type OperatorSession } from '../api/calls.js';
import { operatorSessionsQuery } from '../api/queries.js';
import { useAllowed } from '../session/session-context.js';
import { NotAllowedPage } from '../shell/error-pages.js';
import { DataTable, type Columns } from '../ui/data-table.js';
import { FaultAlert } from '../ui/fault-alert.js';
import { Empty, Loading } from '../ui/load-state.js';
import { Moment } from '../ui/moment.js';
import { useNotices } from '../ui/notice.js';
import { PageHeading } from '../ui/page-heading.js';
import { Phrase } from '../ui/phrase.js';
import { ReasonDialog } from '../ui/reason-dialog.js';
import { RowButton } from '../ui/row-button.js';
import { UserText } from '../ui/user-text.js';
import { PersonLink } from './person-link.js';

export function OperatorSessionsPage() {
  const isAllowed = useAllowed();
  return isAllowed('operators.sessions') ? <OperatorSessions /> : <NotAllowedPage />;
}

function OperatorSessions() {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery(operatorSessionsQuery);
  const [sessionToEnd, setSessionToEnd] = useState<OperatorSession | null>(null);
  return (
    <>
      <PageHeading title={t('installation.sessions')} />
      {error !== null && <FaultAlert error={error} onRetry={() => void refetch()} />}
      {!data && error === null && <Loading />}
      {data?.sessions.length === 0 && <Empty>{t('operator_sessions.none')}</Empty>}
      {data && data.sessions.length > 0 && <SessionTable sessions={data.sessions} onEnd={setSessionToEnd} />}
      {sessionToEnd && <EndDialog session={sessionToEnd} onClose={() => setSessionToEnd(null)} />}
    </>
  );
}

function SessionTable({ sessions, onEnd }: { sessions: readonly OperatorSession[]; onEnd(session: OperatorSession): void }) {
  const { t } = useTranslation();
  const isAllowed = useAllowed();
  const canEnd = isAllowed('operators.endSession');
  const columns = useMemo(
    (): Columns<OperatorSession> => [
      {
        id: 'person',
        header: t('operators.operator'),
        cell: ({ row: { original } }) => <PersonLink id={original.account_id} name={original.username} />,
      },
      {
        id: 'browser',
        header: t('operator_sessions.browser'),
        cell: ({ row: { original } }) => <UserText text={original.browser ?? t('sessions.unknown_browser')} />,
      },
      { id: 'address', header: t('activity.address'), cell: ({ row }) => <code>{row.original.address}</code> },
      { id: 'began', header: t('operator_sessions.began'), cell: ({ row }) => <Moment at={row.original.began_at} isFirst /> },
      { id: 'seen', header: t('operator_sessions.seen'), cell: ({ row }) => <Moment at={row.original.seen_at} isFirst /> },
      { id: 'proven', header: t('operator_sessions.proven'), cell: ({ row }) => <Moment at={row.original.proven_at} isFirst /> },
      {
        id: 'action',
        header: () => <span className="only-heard">{t('actions.title')}</span>,
        cell: ({ row }) =>
          canEnd && (
            <RowButton
              action="end_operator_session"
              text={t('action.end_session')}
              label={row.original.username}
              onClick={() => onEnd(row.original)}
            />
          ),
      },
    ],
    [t, canEnd, onEnd],
  );
  return (
    <div className="table-frame">
      <DataTable label={t('installation.sessions')} columns={columns} rows={sessions} toKey={({ id }) => id} />
    </div>
  );
}

function EndDialog({ session, onClose }: { session: OperatorSession; onClose(): void }) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const notices = useNotices();
  const name = (
    <b>
      <UserText text={session.username} />
    </b>
  );
  const run = async (reason: string): Promise<void> => {
    const params = { path: { session: session.id } };
    await complete(api.DELETE('/operator/v1/operator-sessions/{session}', { params, headers: toReasonHeader(reason) }));
    notices.show(<Phrase phrase="operator_sessions.done" values={{ name }} />);
    void client.invalidateQueries({ queryKey: operatorSessionsQuery.queryKey });
    onClose();
  };
  return (
    <ReasonDialog
      title={<Phrase phrase="operator_sessions.title" values={{ name }} />}
      effects={[<Phrase key="1" phrase="operator_sessions.effect" values={{ name }} />]}
      command={null}
      confirm={t('action.end_session_confirm')}
      run={run}
      onClose={onClose}
    />
  );
}
