/** Whether Foyer and the systems that it needs answer, and how many mails did not arrive. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { Health } from '../api/calls.js';
import { healthQuery, mailCausesQuery } from '../api/queries.js';
import { useAllowed } from '../session/session-context.js';
import { NotAllowedPage } from '../shell/error-pages.js';
import type { PhraseKey } from '../i18n/i18n.js';
import { FaultAlert } from '../ui/fault-alert.js';
import { CheckIcon, RefreshIcon, SuccessIcon, WarningIcon } from '../ui/icons.js';
import { Loading } from '../ui/load-state.js';
import { PageHeading } from '../ui/page-heading.js';
import { Tag } from '../ui/tag.js';
import { UserText } from '../ui/user-text.js';
import { MOST_COUNTED } from './mail-filters.js';

export function HealthPage() {
  const isAllowed = useAllowed();
  return isAllowed('operatorHealth.health') ? <HealthState /> : <NotAllowedPage />;
}

function HealthState() {
  const { t } = useTranslation();
  const { data, error, isFetching, refetch } = useQuery(healthQuery);
  return (
    <>
      <div className="page-head">
        <PageHeading title={t('installation.health')} />
        <button type="button" className="button" onClick={() => void refetch()} disabled={isFetching}>
          <RefreshIcon /> {t('health.again')}
        </button>
      </div>
      {error !== null && <FaultAlert error={error} />}
      {!data && error === null && <Loading />}
      {data && error === null && <HealthParts health={data} />}
    </>
  );
}

/** The number of mails that did not arrive. The health of the server does not include them. */
function FailedMails() {
  const { t } = useTranslation();
  const isAllowed = useAllowed();
  const { data } = useQuery({ ...mailCausesQuery, enabled: isAllowed('mails.causes') });
  const count = data?.causes.reduce((sum, one) => sum + one.count, 0) ?? 0;
  if (count === 0) return null;
  return (
    <li>
      <Link to="/installation/mails">{t('health.failed_mails')}</Link>
      <Tag tone="warning">
        <WarningIcon /> {count > MOST_COUNTED ? t('mails.count_more') : t('mails.count', { count })}
      </Tag>
    </li>
  );
}

/** The words of the parts that the server names. */
export const HEALTH_PARTS: Readonly<Record<string, PhraseKey>> = {
  database: 'health.database',
  clock: 'health.clock',
  upstream: 'health.upstream',
};

const STATE_WORDS = { ok: 'health.answers', unavailable: 'health.silent' } as const;
/** The clock is compared with that of the database, and does not answer. */
const CLOCK_WORDS = { ok: 'health.clock_right', unavailable: 'health.clock_wrong' } as const;

function HealthParts({ health: { status, ready: isReady, parts } }: { health: Health }) {
  const { t } = useTranslation();
  const isOk = status === 'ok';
  return (
    <>
      <div className={`alert ${isOk ? 'success' : 'warning'}`} role="status">
        {isOk ? <SuccessIcon /> : <WarningIcon />}
        <div className="alert-text">
          <strong>{t(isOk ? 'health.ok' : 'health.fault')}</strong>
          <p>{t(isReady ? (isOk ? 'health.ready' : 'health.ready_fault') : 'health.not_ready')}</p>
        </div>
      </div>
      <div className="panel">
        <ul className="items">
          <FailedMails />
          {Object.entries(parts).map(([name, state]) => (
            <HealthPart key={name} name={name} state={state} />
          ))}
        </ul>
      </div>
    </>
  );
}

export function HealthPart({ name, state }: { name: string; state: Health['parts'][string] }) {
  const { t } = useTranslation();
  const words = name === 'clock' ? CLOCK_WORDS : STATE_WORDS;
  return (
    <li>
      <span>{HEALTH_PARTS[name] === undefined ? <UserText text={name} /> : t(HEALTH_PARTS[name])}</span>
      <Tag tone={state === 'ok' ? 'success' : 'danger'}>
        {state === 'ok' ? <CheckIcon /> : <WarningIcon />} {t(state === 'ok' ? words.ok : words.unavailable)}
      </Tag>
    </li>
  );
}
