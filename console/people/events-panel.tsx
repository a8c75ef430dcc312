/** The last events of an account. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { Actor, EventWords } from '../activity/event.js';
import type { AccountDetail } from '../api/calls.js';
import { lastEventsQuery } from '../api/queries.js';
import { useAllowed } from '../session/session-context.js';
import { FaultAlert } from '../ui/fault-alert.js';
import { Empty, Loading } from '../ui/load-state.js';
import { Moment } from '../ui/moment.js';
import { Panel } from '../ui/panel.js';

export function EventsPanel({ account: { id } }: { account: AccountDetail }) {
  const { t } = useTranslation();
  const isAllowed = useAllowed();
  const { data, error, refetch } = useQuery({ ...lastEventsQuery(id), enabled: isAllowed('audit.ofAccount') });
  if (!isAllowed('audit.ofAccount')) return null;
  return (
    <Panel
      title={t('events.title')}
      actions={
        isAllowed('audit.ofAll') && (
          <Link to="/activity" search={{ account: id }} className="button small">
            {t('events.all')}
          </Link>
        )
      }
    >
      {error !== null && (
        <div className="panel-body">
          <FaultAlert error={error} onRetry={() => void refetch()} />
        </div>
      )}
      {!data && error === null && <Loading />}
      {data?.entries.length === 0 && <Empty>{t('events.none')}</Empty>}
      <ol className="items event-list">
        {data?.entries.map((entry) => (
          <li key={entry.id}>
            <EventWords entry={entry} />
            <div className="event-side">
              <Actor entry={entry} />
              <span className="muted">
                <Moment at={entry.at} isFirst />
              </span>
            </div>
          </li>
        ))}
      </ol>
    </Panel>
  );
}
