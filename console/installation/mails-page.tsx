/** The mails that did not arrive: by cause, and one by one. The page also tries mails again. */
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Mail, MailCause } from '../api/calls.js';
import { mailCausesQuery, mailsQuery } from '../api/queries.js';
import { useAllowed } from '../session/session-context.js';
import { NotAllowedPage } from '../shell/error-pages.js';
import { DataTable, type Columns } from '../ui/data-table.js';
import { FaultAlert } from '../ui/fault-alert.js';
import { FilterSelect } from '../ui/filter-select.js';
import { ListState } from '../ui/load-state.js';
import { Moment } from '../ui/moment.js';
import { PageHeading } from '../ui/page-heading.js';
import { Pager } from '../ui/pager.js';
import { Phrase } from '../ui/phrase.js';
import { RowButton } from '../ui/row-button.js';
import { Tag, type Tone } from '../ui/tag.js';
import { UserText } from '../ui/user-text.js';
import { RetryAllDialog, RetryDialog } from './mail-dialogs.js';
import { findMailPhrase } from './mail-words.js';
import { isMailCause, isMailState, MAIL_CAUSES, MOST_COUNTED, type MailFilters } from './mail-filters.js';

const route = getRouteApi('/gate/installation/mails');

export function MailsPage() {
  const isAllowed = useAllowed();
  return isAllowed('mails.list') ? <Mails /> : <NotAllowedPage />;
}

function Mails() {
  const { t } = useTranslation();
  const filters = route.useSearch();
  const { data, error, isPlaceholderData, refetch } = useQuery(mailsQuery(filters));
  const [mailToRetry, setMailToRetry] = useState<Mail | null>(null);
  return (
    <>
      <PageHeading title={t('mails.title')} />
      <p className="muted">{t('mails.text')}</p>
      <Causes />
      <MailFilterBar filters={filters} />
      <ListState
        error={error}
        onRetry={() => void refetch()}
        rows={error === null ? data?.mails : undefined}
        none={<NoMails filters={filters} />}
      >
        <MailTable mails={data?.mails ?? []} isOutdated={isPlaceholderData} onRetry={setMailToRetry} />
      </ListState>
      {error === null && <Pager to="/installation/mails" filters={filters} nextCursor={data?.next_cursor} />}
      {mailToRetry && <RetryDialog mail={mailToRetry} onClose={() => setMailToRetry(null)} />}
    </>
  );
}

function NoMails({ filters }: { filters: MailFilters }) {
  const { t } = useTranslation();
  const isFiltered = Object.values(filters).some((value) => value !== undefined);
  return (
    <>
      <p>{t(isFiltered ? 'mails.none_found' : 'mails.none')}</p>
      {isFiltered && (
        <Link to="/installation/mails" search={{}} className="button">
          {t('activity.show_all')}
        </Link>
      )}
    </>
  );
}

/** The number of mails with each cause, and a button that tries all of them again. */
function Causes() {
  const { t } = useTranslation();
  const isAllowed = useAllowed();
  const { data, error, refetch } = useQuery({ ...mailCausesQuery, enabled: isAllowed('mails.causes') });
  const [causeToRetry, setCauseToRetry] = useState<MailCause | null>(null);
  if (error !== null && !data) return <FaultAlert error={error} onRetry={() => void refetch()} />;
  if (!data || data.causes.length === 0) return null;
  return (
    <section className="panel" aria-labelledby="mail-causes">
      <div className="panel-head">
        <h2 id="mail-causes" tabIndex={-1}>
          {t('mails.causes')}
        </h2>
      </div>
      <ul className="items">
        {data.causes.map((mailCause) => (
          <li key={mailCause.cause}>
            <div className="item-text">
              <Link to="/installation/mails" search={{ cause: mailCause.cause }}>
                {t(MAIL_CAUSES[mailCause.cause])}
              </Link>
              <p className="muted">
                {mailCause.count > MOST_COUNTED ? t('mails.count_more') : t('mails.count', { count: mailCause.count })}
              </p>
            </div>
            {mailCause.retryable > 0 && isAllowed('mails.retryAll') && (
              <RowButton
                action="retry_all"
                text={t('mails.retry_all')}
                label={t(MAIL_CAUSES[mailCause.cause])}
                onClick={() => setCauseToRetry(mailCause)}
              />
            )}
          </li>
        ))}
      </ul>
      {causeToRetry && <RetryAllDialog cause={causeToRetry} onClose={() => setCauseToRetry(null)} />}
    </section>
  );
}

interface MailTableProps {
  mails: readonly Mail[];
  isOutdated: boolean;
  onRetry(mail: Mail): void;
}

function MailTable({ mails, isOutdated, onRetry }: MailTableProps) {
  const { t } = useTranslation();
  const isAllowed = useAllowed();
  const canRetry = isAllowed('mails.retry');
  const columns = useMemo(
    (): Columns<Mail> => [
      { id: 'recipient', header: t('mails.recipient'), cell: ({ row }) => <RecipientCell mail={row.original} /> },
      { id: 'kind', header: t('mails.kind'), cell: ({ row }) => <KindCell kind={row.original.kind} /> },
      { id: 'state', header: t('mails.state'), cell: ({ row }) => <StateCell mail={row.original} /> },
      { id: 'cause', header: t('mails.cause'), cell: ({ row }) => <CauseCell mail={row.original} /> },
      { id: 'queued', header: t('mails.queued'), cell: ({ row }) => <Moment at={row.original.queued_at} isFirst /> },
      {
        id: 'action',
        header: () => <span className="only-heard">{t('actions.title')}</span>,
        cell: ({ row: { original: mail } }) =>
          canRetry &&
          !mail.expired && (
            <RowButton action="retry" text={t('mails.retry')} label={mail.recipient} onClick={() => onRetry(mail)} />
          ),
      },
    ],
    [t, canRetry, onRetry],
  );
  return (
    <div className="table-frame">
      <DataTable label={t('mails.title')} columns={columns} rows={mails} toKey={({ id }) => id} isOutdated={isOutdated} />
    </div>
  );
}

function RecipientCell({ mail: { recipient, account_id: id, username } }: { mail: Mail }) {
  return (
    <div>
      <UserText text={recipient} />
      {id !== null && (
        <p>
          <Link to="/people/$id" params={{ id }}>
            <UserText text={username ?? id} />
          </Link>
        </p>
      )}
    </div>
  );
}

function KindCell({ kind }: { kind: string }) {
  const { t } = useTranslation();
  const phrase = findMailPhrase(kind);
  return phrase === undefined ? <UserText text={kind} /> : t(phrase);
}

function StateCell({ mail: { state, expired, next_try_at: nextTryAt } }: { mail: Mail }) {
  const { t } = useTranslation();
  const [tone, text]: [Tone, string] = expired
    ? ['neutral', t('mails.state_expired')]
    : state === 'abandoned'
      ? ['danger', t('mails.state_abandoned')]
      : ['warning', t('mails.state_waiting')];
  return (
    <div>
      <Tag tone={tone}>{text}</Tag>
      {nextTryAt !== null && !expired && (
        <p className="muted">
          <Phrase phrase="mails.next_try" values={{ time: <Moment at={nextTryAt} /> }} />
        </p>
      )}
    </div>
  );
}

function CauseCell({ mail: { cause, code, tries } }: { mail: Mail }) {
  const { t } = useTranslation();
  return (
    <div>
      {t(MAIL_CAUSES[cause])}
      <p className="muted">
        {t('mails.tries', { count: tries })}
        {code !== null && (
          <>
            {' · '}
            <code>
              <UserText text={code} />
            </code>
          </>
        )}
      </p>
    </div>
  );
}

function MailFilterBar({ filters: { cause, state } }: { filters: MailFilters }) {
  const { t } = useTranslation();
  const navigate = route.useNavigate();
  const apply = (change: MailFilters): void =>
    void navigate({ search: (search) => ({ ...search, ...change, cursor: undefined }) });
  return (
    <div className="filters">
      <FilterSelect
        label={t('mails.cause')}
        value={cause}
        choices={Object.entries(MAIL_CAUSES).map(([name, phrase]) => [name, t(phrase)])}
        onChoose={(value) => apply({ cause: isMailCause(value) ? value : undefined })}
      />
      <FilterSelect
        label={t('mails.state')}
        value={state}
        choices={[
          ['waiting', t('mails.state_waiting')],
          ['abandoned', t('mails.state_abandoned')],
        ]}
        onChoose={(value) => apply({ state: isMailState(value) ? value : undefined })}
      />
    </div>
  );
}
