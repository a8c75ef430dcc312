/** Whether the user sources and providers can be used, and what is wrong with them. */
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { SourceState } from '../api/calls.js';
import { sourcesQuery } from '../api/queries.js';
import type { PhraseKey } from '../i18n/i18n.js';
import { useAllowed } from '../session/session-context.js';
import { NotAllowedPage } from '../shell/error-pages.js';
import { FaultAlert } from '../ui/fault-alert.js';
import { RefreshIcon } from '../ui/icons.js';
import { Empty, Loading } from '../ui/load-state.js';
import { Moment } from '../ui/moment.js';
import { PageHeading } from '../ui/page-heading.js';
import { Phrase } from '../ui/phrase.js';
import { UserText } from '../ui/user-text.js';
import { FindingItem, LevelTag } from './finding-item.js';
import { RefusedScimRequests } from './scim-refused.js';

export function SourcesPage() {
  const isAllowed = useAllowed();
  return isAllowed('sources.list') ? <Sources /> : <NotAllowedPage />;
}

function Sources() {
  const { t } = useTranslation();
  const { data, error, isFetching, refetch } = useQuery(sourcesQuery);
  return (
    <>
      <div className="page-head">
        <PageHeading title={t('sources.title')} />
        <button type="button" className="button" onClick={() => void refetch()} disabled={isFetching}>
          <RefreshIcon /> {t('sources.again')}
        </button>
      </div>
      <p className="muted">
        {t('sources.text')}{' '}
        {data && <Phrase phrase="sources.checked" values={{ time: <Moment at={data.checked_at} hasSeconds /> }} />}
      </p>
      {error !== null && <FaultAlert error={error} onRetry={() => void refetch()} />}
      {!data && error === null && <Loading />}
      {data?.sources.length === 0 && error === null && <Empty>{t('sources.none')}</Empty>}
      {error === null && data?.sources.map((source) => <Source key={`${source.type} ${source.id}`} source={source} />)}
    </>
  );
}

const TYPES: Readonly<Record<SourceState['type'], PhraseKey>> = {
  ldap: 'sources.ldap',
  http: 'sources.http',
  provider: 'sources.provider',
  scim: 'sources.scim',
};

function Source({ source }: { source: SourceState }) {
  const { id, name, type, state, findings, scim } = source;
  const { t } = useTranslation();
  const isAllowed = useAllowed();
  return (
    <section className="panel" aria-labelledby={`source-${type}-${id}`}>
      <div className="panel-head">
        <div>
          <h2 id={`source-${type}-${id}`}>
            <UserText text={name} />
          </h2>
          <p className="muted">
            {t(TYPES[type])} · <code>{id}</code>
          </p>
        </div>
        <LevelTag level={state} />
      </div>
      <ul className="items">
        {findings.map((finding) => (
          <FindingItem key={finding.what} finding={finding} isAlone={findings.length === 1} />
        ))}
      </ul>
      {scim !== null && <ScimFacts scim={scim} />}
      {scim !== null && scim.refused > 0 && isAllowed('scimFaults.list') && <RefusedScimRequests source={source} />}
    </section>
  );
}

/** The server stops counting above this number. */
const MOST_COUNTED = 100_000;

function ScimFacts({ scim }: { scim: NonNullable<SourceState['scim']> }) {
  const { t, i18n } = useTranslation();
  const { last_request_at: at } = scim;
  const format = (count: number): string =>
    `${count > MOST_COUNTED ? '> ' : ''}${Math.min(count, MOST_COUNTED).toLocaleString(i18n.language)}`;
  return (
    <div className="panel-body">
      <dl className="fact-list">
        <Fact label="scim.last_request">{at === null ? t('scim.never') : <Moment at={at} isFirst />}</Fact>
        <Fact label="scim.people">{format(scim.people)}</Fact>
        <Fact label="scim.groups">{format(scim.groups)}</Fact>
        <Fact label="scim.offers">{format(scim.offers)}</Fact>
      </dl>
    </div>
  );
}

function Fact({ label, children }: { label: PhraseKey; children: ReactNode }) {
  const { t } = useTranslation();
  return (
    <div>
      <dt>{t(label)}</dt>
      <dd>{children}</dd>
    </div>
  );
}
