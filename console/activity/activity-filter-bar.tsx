/** The filters of the audit log. Each change is a new address, so Back undoes it. */
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { AuditEntry } from '../api/calls.js';
import { isUuid } from '../people/people-filters.js';
import { Field } from '../ui/field.js';
import { FilterPanel, countActive } from '../ui/filter-panel.js';
import { SaveFilter } from '../ui/saved-filters.js';
import { SubmittedField } from '../ui/submitted-field.js';
import { TimeField } from '../ui/time-field.js';
import { ActorFilter } from './actor-filter.js';
import type { ActivityFilters } from './activity-filters.js';
import { FAMILIES, TOPICS } from './event-words.js';
import { findPeriod, PERIODS, toPeriod } from './periods.js';
import { ID_EXAMPLE, PersonFilter } from './person-filter.js';

interface FilterBarProps {
  filters: ActivityFilters;
  /** The shown events; the filter offers their operators. */
  entries: readonly AuditEntry[];
}

/** @returns the username of the account, if one of the shown events contains it */
const findName = (account: string | undefined, entries: readonly AuditEntry[]): string | undefined =>
  entries.find(({ account_id: id }) => id === account)?.username ?? undefined;

type Apply = (changes: ActivityFilters) => void;

export function ActivityFilterBar({ filters, entries }: FilterBarProps) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const apply: Apply = (changes) =>
    void navigate({ to: '/activity', search: (previous) => ({ ...previous, cursor: undefined, ...changes }) });
  const { kind, actor, account, client, request, since, until } = filters;
  const name = findName(account, entries);
  const activeCount = countActive(kind, actor, account, client, request, since, until);
  return (
    <FilterPanel activeCount={activeCount}>
      <KindFilter kind={kind} apply={apply} />
      <ActorFilter actor={actor} entries={entries} apply={apply} />
      <PersonFilter key={`account ${account ?? ''}`} value={account} name={name} onChange={(id) => apply({ account: id })} />
      <SubmittedField
        key={`client ${client ?? ''}`}
        label={t('activity.client')}
        maxLength={255}
        value={client}
        onSubmit={(id) => apply({ client: id || undefined })}
      />
      <SubmittedField
        key={`request ${request ?? ''}`}
        label={t('activity.request')}
        placeholder={ID_EXAMPLE}
        maxLength={200}
        value={request}
        findFault={(text) => (isUuid(text) ? undefined : t('activity.id_wrong'))}
        onSubmit={(id) => apply({ request: id || undefined })}
      />
      <PeriodFilter since={since} until={until} apply={apply} />
      <TimeFilter name="since" value={since} apply={apply} />
      <TimeFilter name="until" value={until} apply={apply} />
      <div className="row wrap">
        {activeCount > 0 && (
          <button type="button" className="button" onClick={() => void navigate({ to: '/activity', search: {} })}>
            {t('filter.clear')}
          </button>
        )}
        <SaveFilter page="activity" filters={filters} />
      </div>
    </FilterPanel>
  );
}

function KindFilter({ kind, apply }: { kind: string | undefined; apply: Apply }) {
  const { t } = useTranslation();
  const knownKinds = [...FAMILIES, ...TOPICS.flatMap(({ kinds }) => [...kinds])] as readonly string[];
  return (
    <Field label={t('activity.event')} className="broad">
      {(wiring) => (
        <select
          {...wiring}
          value={kind ?? ''}
          onChange={({ currentTarget }) => apply({ kind: currentTarget.value || undefined })}
        >
          <option value="">{t('filter.any')}</option>
          {kind !== undefined && !knownKinds.includes(kind) && <option value={kind}>{kind}</option>}
          <optgroup label={t('filter.families')}>
            {FAMILIES.map((family) => (
              <option key={family} value={family}>
                {t(`family.${family}`)}
              </option>
            ))}
          </optgroup>
          {TOPICS.map(({ title, kinds }) => (
            <optgroup key={title} label={t(title)}>
              {kinds.map((topicKind) => (
                <option key={topicKind} value={topicKind}>
                  {t(`event.${topicKind}`)}
                </option>
              ))}
            </optgroup>
          ))}
        </select>
      )}
    </Field>
  );
}

/** Sets both times to the times of a period. The two fields beside this list set any other times. */
function PeriodFilter({ since, until, apply }: Pick<ActivityFilters, 'since' | 'until'> & { apply: Apply }) {
  const { t } = useTranslation();
  const [now, setNow] = useState(() => new Date());
  // At midnight, the period that was today becomes another one.
  useEffect(() => {
    const midnight = new Date(now.getFullYear(), now.getMonth(), now.getDate() + 1);
    const timer = setTimeout(() => setNow(new Date()), Math.max(0, midnight.getTime() - Date.now()));
    return () => clearTimeout(timer);
  }, [now]);
  const isAny = since === undefined && until === undefined;
  const selection = isAny ? 'any' : (findPeriod({ since, until }, now) ?? 'other');
  return (
    <Field label={t('activity.period')}>
      {(wiring) => (
        <select
          {...wiring}
          value={selection}
          onChange={({ currentTarget: { value } }) => {
            const name = PERIODS.find((one) => one === value);
            // The page may have been opened on an earlier day.
            const present = new Date();
            setNow(present);
            apply(name ? toPeriod(name, present) : { since: undefined, until: undefined });
          }}
        >
          <option value="any">{t('filter.any')}</option>
          {selection === 'other' && <option value="other">{t('activity.period_other')}</option>}
          {PERIODS.map((name) => (
            <option key={name} value={name}>
              {t(`activity.period_${name}`)}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

function TimeFilter({ name, value, apply }: { name: 'since' | 'until'; value: string | undefined; apply: Apply }) {
  const { t } = useTranslation();
  return <TimeField label={t(`activity.${name}`)} value={value} onChange={(time) => apply({ [name]: time })} />;
}
