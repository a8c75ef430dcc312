/** The events of one sink: those that wait, were delivered, or were given up. */
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { findEventPhrase } from '../activity/event-words.js';
import type { Delivery } from '../api/calls.js';
import { deliveriesQuery } from '../api/queries.js';
import { useAllowed } from '../session/session-context.js';
import { DataTable, type Columns } from '../ui/data-table.js';
import { Field } from '../ui/field.js';
import { ListState } from '../ui/load-state.js';
import { Moment } from '../ui/moment.js';
import { Pager } from '../ui/pager.js';
import { RowButton } from '../ui/row-button.js';
import { Tag, type Tone } from '../ui/tag.js';
import { UserText } from '../ui/user-text.js';
import { PersonLink } from './person-link.js';
import { ReplayOneDialog } from './sink-dialogs.js';
import { DELIVERY_STATES, isDeliveryState, type SinkFilters } from './sink-filters.js';

const route = getRouteApi('/gate/installation/events');

const TONES: Readonly<Record<Delivery['state'], Tone>> = { waiting: 'warning', delivered: 'success', dead: 'danger' };

export function Deliveries({ sink, filters }: { sink: string; filters: SinkFilters }) {
  const { t } = useTranslation();
  const { data, error, isPlaceholderData, refetch } = useQuery(deliveriesQuery(sink, filters));
  const [replayedEvent, setReplayedEvent] = useState<string | null>(null);
  return (
    <section className="stack" aria-labelledby="deliveries">
      <h2 id="deliveries" tabIndex={-1}>
        {t('sinks.deliveries', { sink })}
      </h2>
      <StateFilter state={filters.delivery} />
      <ListState
        error={error}
        onRetry={() => void refetch()}
        rows={error === null ? data?.deliveries : undefined}
        none={<p>{t('sinks.deliveries_none')}</p>}
      >
        <DeliveryTable deliveries={data?.deliveries ?? []} isOutdated={isPlaceholderData} onReplay={setReplayedEvent} />
      </ListState>
      {error === null && <Pager to="/installation/events" filters={filters} nextCursor={data?.next_cursor} />}
      {replayedEvent !== null && (
        <ReplayOneDialog sink={{ name: sink }} event={replayedEvent} onClose={() => setReplayedEvent(null)} />
      )}
    </section>
  );
}

function StateFilter({ state }: { state: SinkFilters['delivery'] }) {
  const { t } = useTranslation();
  const navigate = route.useNavigate();
  return (
    <div className="filters">
      <Field label={t('sinks.delivery_state')}>
        {(wiring) => (
          <select
            {...wiring}
            value={state ?? ''}
            onChange={({ currentTarget: { value } }) =>
              void navigate({
                search: (search) => ({ ...search, delivery: isDeliveryState(value) ? value : undefined, cursor: undefined }),
              })
            }
          >
            <option value="">{t('filter.any')}</option>
            {DELIVERY_STATES.map((name) => (
              <option key={name} value={name}>
                {t(`sinks.delivery_${name}`)}
              </option>
            ))}
          </select>
        )}
      </Field>
    </div>
  );
}

interface DeliveryTableProps {
  deliveries: readonly Delivery[];
  isOutdated: boolean;
  onReplay(event: string): void;
}

function DeliveryTable({ deliveries, isOutdated, onReplay }: DeliveryTableProps) {
  const { t } = useTranslation();
  const canReplay = useAllowed()('sinks.replayOne');
  const columns = useMemo(
    (): Columns<Delivery> => [
      { id: 'event', header: t('sinks.event'), cell: ({ row }) => <EventCell delivery={row.original} /> },
      { id: 'state', header: t('sinks.delivery_state'), cell: ({ row }) => <StateCell delivery={row.original} /> },
      { id: 'answer', header: t('sinks.answer'), cell: ({ row }) => <AnswerCell delivery={row.original} /> },
      { id: 'queued', header: t('sinks.queued'), cell: ({ row }) => <Moment at={row.original.queued_at} isFirst /> },
      {
        id: 'action',
        header: () => <span className="only-heard">{t('actions.title')}</span>,
        cell: ({ row: { original: delivery } }) =>
          canReplay &&
          delivery.state !== 'waiting' &&
          delivery.kind !== null && (
            <RowButton action="again" text={t('sinks.again')} label={delivery.event} onClick={() => onReplay(delivery.event)} />
          ),
      },
    ],
    [t, canReplay, onReplay],
  );
  return (
    <div className="table-frame">
      <DataTable
        label={t('sinks.events')}
        columns={columns}
        rows={deliveries}
        toKey={({ event }) => event}
        isOutdated={isOutdated}
      />
    </div>
  );
}

function EventCell({ delivery: { event, kind, account_id: account } }: { delivery: Delivery }) {
  const { t } = useTranslation();
  const phrase = kind === null ? undefined : findEventPhrase(kind);
  return (
    <div>
      {phrase ? t(phrase) : <UserText text={kind ?? t('sinks.event_deleted')} />}
      <p className="muted">
        <code>{event}</code>
        {account !== null && (
          <>
            {' · '}
            <PersonLink id={account} name={account} />
          </>
        )}
      </p>
    </div>
  );
}

function StateCell({ delivery: { state, tries } }: { delivery: Delivery }) {
  const { t } = useTranslation();
  return (
    <div>
      <Tag tone={TONES[state]}>{t(`sinks.delivery_${state}`)}</Tag>
      {tries > 0 && <p className="muted">{t('mails.tries', { count: tries })}</p>}
    </div>
  );
}

function AnswerCell({ delivery: { status, answer, tried_at: at } }: { delivery: Delivery }) {
  if (at === null) return null;
  return (
    <div>
      <code>
        <UserText text={status ?? ''} />
      </code>
      {answer !== null && answer !== '' && (
        <>
          {' '}
          <UserText text={answer} />
        </>
      )}
      <p className="muted">
        <Moment at={at} />
      </p>
    </div>
  );
}
