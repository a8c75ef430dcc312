/** The event sinks: the state of each, the events that wait for it, and the list of its events. */
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Sink } from '../api/calls.js';
import { sinksQuery } from '../api/queries.js';
import type { PhraseKey } from '../i18n/i18n.js';
import { useAllowed } from '../session/session-context.js';
import { NotAllowedPage } from '../shell/error-pages.js';
import { FaultAlert } from '../ui/fault-alert.js';
import { RefreshIcon } from '../ui/icons.js';
import { Empty, Loading } from '../ui/load-state.js';
import { Moment } from '../ui/moment.js';
import { PageHeading } from '../ui/page-heading.js';
import { Phrase } from '../ui/phrase.js';
import { RowButton } from '../ui/row-button.js';
import { Tag, type Tone } from '../ui/tag.js';
import { UserText } from '../ui/user-text.js';
import { Deliveries } from './deliveries.js';
import { ReplayDialog, SwitchDialog } from './sink-dialogs.js';
import { MOST_COUNTED } from './sink-filters.js';

const route = getRouteApi('/gate/installation/events');

export function EventsPage() {
  const isAllowed = useAllowed();
  return isAllowed('sinks.list') ? <Sinks /> : <NotAllowedPage />;
}

type Change = { sink: Sink; dialog: 'pause' | 'resume' | 'replay' };

function Sinks() {
  const { t } = useTranslation();
  const filters = route.useSearch();
  const { data, error, isFetching, refetch } = useQuery(sinksQuery);
  const [change, setChange] = useState<Change | null>(null);
  const close = (): void => setChange(null);
  return (
    <>
      <div className="page-head">
        <PageHeading title={t('sinks.title')} />
        <button type="button" className="button" onClick={() => void refetch()} disabled={isFetching}>
          <RefreshIcon /> {t('sinks.reload')}
        </button>
      </div>
      <p className="muted">{t('sinks.text')}</p>
      {error !== null && <FaultAlert error={error} onRetry={() => void refetch()} />}
      {!data && error === null && <Loading />}
      {data?.sinks.length === 0 && error === null && <Empty>{t('sinks.none')}</Empty>}
      {error === null && data?.sinks.map((sink) => <SinkPanel key={sink.name} sink={sink} onChange={setChange} />)}
      {error === null && filters.sink !== undefined && <Deliveries sink={filters.sink} filters={filters} />}
      {change?.dialog === 'replay' && <ReplayDialog sink={change.sink} onClose={close} />}
      {change && change.dialog !== 'replay' && <SwitchDialog sink={change.sink} action={change.dialog} onClose={close} />}
    </>
  );
}

const STATES: Readonly<Record<Sink['state'], readonly [tone: Tone, phrase: PhraseKey]>> = {
  ok: ['success', 'sinks.state_ok'],
  failing: ['danger', 'sinks.state_failing'],
  paused: ['warning', 'sinks.state_paused'],
  removed: ['warning', 'sinks.state_removed'],
};

interface SinkPanelProps {
  sink: Sink;
  onChange(change: Change): void;
}

function SinkPanel({ sink, onChange }: SinkPanelProps) {
  const { t } = useTranslation();
  const [tone, phrase] = STATES[sink.state];
  return (
    <section className="panel" aria-labelledby={`sink-${sink.name}`}>
      <div className="panel-head">
        <div>
          <h2 id={`sink-${sink.name}`} tabIndex={-1}>
            {sink.name}
          </h2>
          {sink.kind !== null && (
            <p className="muted">
              {t(`sinks.kind_${sink.kind}`)} · <code>{sink.host}</code> · <code>{sink.events.join(' ')}</code>
            </p>
          )}
        </div>
        <Tag tone={tone}>{t(phrase)}</Tag>
      </div>
      <ul className="items">
        <li>
          <SinkFacts sink={sink} />
          <SinkButtons sink={sink} onChange={onChange} />
        </li>
      </ul>
    </section>
  );
}

function SinkFacts({
  sink: { waiting, waiting_since: waitingSince, dead, failing_since: failingSince, ...sink },
}: {
  sink: Sink;
}) {
  const { t } = useTranslation();
  return (
    <div className="item-text">
      <p>
        {waiting > MOST_COUNTED ? t('sinks.waiting_more') : t('sinks.waiting', { count: waiting })}
        {waitingSince !== null && (
          <>
            {' '}
            <Phrase phrase="sinks.since" values={{ time: <Moment at={waitingSince} /> }} />
          </>
        )}
      </p>
      {dead > 0 && <p>{dead > MOST_COUNTED ? t('sinks.dead_more') : t('sinks.dead', { count: dead })}</p>}
      {failingSince !== null && (
        <p>
          <Phrase phrase="sinks.failing_since" values={{ time: <Moment at={failingSince} /> }} />
        </p>
      )}
      {sink.last_at !== null && (
        <p className="muted">
          <Phrase
            phrase="sinks.last"
            values={{
              time: <Moment at={sink.last_at} />,
              status: (
                <code>
                  <UserText text={sink.last_status ?? ''} />
                </code>
              ),
            }}
          />
          {sink.last_answer !== null && sink.last_answer !== '' && (
            <>
              {' · '}
              <UserText text={sink.last_answer} />
            </>
          )}
        </p>
      )}
    </div>
  );
}

function SinkButtons({ sink, onChange }: SinkPanelProps) {
  const { t } = useTranslation();
  const isAllowed = useAllowed();
  const isConfigured = sink.state !== 'removed';
  const toggle = sink.state === 'paused' ? 'resume' : 'pause';
  return (
    <div className="row wrap">
      {isAllowed('sinks.deliveries') && (
        <Link to="/installation/events" search={{ sink: sink.name }} className="button small" data-action="deliveries">
          {t('sinks.show')}
        </Link>
      )}
      {isConfigured && isAllowed(`sinks.${toggle}`) && (
        <RowButton
          action={toggle}
          text={t(`sinks.${toggle}`)}
          label={sink.name}
          onClick={() => onChange({ sink, dialog: toggle })}
        />
      )}
      {isConfigured && isAllowed('sinks.replay') && (
        <RowButton
          action="replay"
          text={t('sinks.replay')}
          label={sink.name}
          onClick={() => onChange({ sink, dialog: 'replay' })}
        />
      )}
    </div>
  );
}
