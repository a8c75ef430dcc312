/** The first page: what needs attention. Each row links to the page that shows what it counts. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { TodayRow } from '../api/calls.js';
import { todayQuery } from '../api/queries.js';
import { HEALTH_PARTS } from '../installation/health-page.js';
import { MOST_COUNTED } from '../installation/mail-filters.js';
import { useAllowed } from '../session/session-context.js';
import { NotAllowedPage } from '../shell/error-pages.js';
import { FaultAlert } from '../ui/fault-alert.js';
import { DangerIcon, InfoIcon, RefreshIcon, SuccessIcon, WarningIcon } from '../ui/icons.js';
import { Loading } from '../ui/load-state.js';
import { PageHeading } from '../ui/page-heading.js';
import { UserText } from '../ui/user-text.js';
import { findRowKind, type RowKind } from './today-rows.js';

export function TodayPage() {
  const isAllowed = useAllowed();
  return isAllowed('today.show') ? <Today /> : <NotAllowedPage />;
}

function Today() {
  const { t } = useTranslation();
  const { data, error, isFetching, refetch } = useQuery(todayQuery);
  const rows = data?.rows.flatMap((row) => {
    const kind = findRowKind(row.kind);
    return kind ? [{ row, kind }] : [];
  });
  return (
    <div className="page">
      <div className="page-head">
        <PageHeading title={t('today.title')} />
        <button type="button" className="button" onClick={() => void refetch()} disabled={isFetching}>
          <RefreshIcon /> {t('today.again')}
        </button>
      </div>
      {error !== null && <FaultAlert error={error} onRetry={() => void refetch()} />}
      {!rows && error === null && <Loading />}
      {rows?.length === 0 && error === null && <NothingToDo />}
      {rows && rows.length > 0 && error === null && (
        <div className="panel">
          <ul className="items">
            {rows.map(({ row, kind }) => (
              <Row key={row.kind} row={row} kind={kind} />
            ))}
          </ul>
        </div>
      )}
    </div>
  );
}

function NothingToDo() {
  const { t } = useTranslation();
  return (
    <div className="alert success" role="status">
      <SuccessIcon />
      <div className="alert-text">
        <strong>{t('today.nothing')}</strong>
        <p>{t('today.nothing_text')}</p>
      </div>
    </div>
  );
}

const ICONS = { danger: DangerIcon, warning: WarningIcon, info: InfoIcon } as const;

function Row({ row, kind: { title, text, tone, toTarget } }: { row: TodayRow; kind: RowKind }) {
  const { t, i18n } = useTranslation();
  const { count, names } = row;
  const number = count > MOST_COUNTED ? t('today.more_than') : count.toLocaleString(i18n.language);
  const Icon = ICONS[tone];
  return (
    <li className="today-row">
      <span className={`today-icon ${tone}`}>
        <Icon />
      </span>
      <div className="item-text">
        <Link {...toTarget(row)}>{t(title, { count, number })}</Link>
        {names.length > 0 && <Names row={row} hasMore={count > names.length && names.length >= MOST_NAMES} />}
        <p className="muted">{t(text)}</p>
      </div>
    </li>
  );
}

/** The server returns at most this many names. */
const MOST_NAMES = 10;

function Names({ row: { kind, names }, hasMore }: { row: TodayRow; hasMore: boolean }) {
  const { t } = useTranslation();
  return (
    <p>
      {names.map((name, index) => {
        const part = kind === 'health' ? HEALTH_PARTS[name] : undefined;
        return (
          <span key={name}>
            {index > 0 && ', '}
            {part === undefined ? <UserText text={name} /> : t(part)}
          </span>
        );
      })}
      {hasMore && ` ${t('today.and_more')}`}
    </p>
  );
}
