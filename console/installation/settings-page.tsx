/** The settings of the gateway, read-only: the value of each, and where it comes from. */
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Setting } from '../api/calls.js';
import { settingsQuery } from '../api/queries.js';
import type { PhraseKey } from '../i18n/i18n.js';
import { useAllowed } from '../session/session-context.js';
import { NotAllowedPage } from '../shell/error-pages.js';
import { DataTable, type Columns } from '../ui/data-table.js';
import { FaultAlert } from '../ui/fault-alert.js';
import { Field } from '../ui/field.js';
import { DownIcon } from '../ui/icons.js';
import { Empty, Loading } from '../ui/load-state.js';
import { PageHeading } from '../ui/page-heading.js';
import { UserText } from '../ui/user-text.js';

export function SettingsPage() {
  const isAllowed = useAllowed();
  return isAllowed('settings.list') ? <Settings /> : <NotAllowedPage />;
}

function Settings() {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery(settingsQuery);
  const [text, setText] = useState('');
  const [isOnlySet, setIsOnlySet] = useState(false);
  const shownSettings = (data?.settings ?? []).filter((one) => matches(one, text) && (!isOnlySet || one.origin !== 'default'));
  return (
    <>
      <PageHeading title={t('settings.title')} />
      <p className="muted">{t('settings.text')}</p>
      <Field label={t('settings.filter')} hint={t('settings.filter_hint')} className="medium">
        {(wiring) => (
          <input
            {...wiring}
            type="search"
            autoComplete="off"
            maxLength={200}
            value={text}
            onChange={({ currentTarget }) => setText(currentTarget.value)}
          />
        )}
      </Field>
      <label className="check">
        <input type="checkbox" checked={isOnlySet} onChange={({ currentTarget }) => setIsOnlySet(currentTarget.checked)} />{' '}
        {t('settings.only_set')}
      </label>
      {error !== null && <FaultAlert error={error} onRetry={() => void refetch()} />}
      {!data && error === null && <Loading />}
      {data && error === null && <Groups settings={shownSettings} isFiltered={isOnlySet || text.trim() !== ''} />}
    </>
  );
}

/** The groups are closed until a filter is set, because the whole table is very long on a phone. */
function Groups({ settings, isFiltered }: { settings: readonly Setting[]; isFiltered: boolean }) {
  const { t } = useTranslation();
  const groups = [...new Set(settings.map(({ group }) => group))];
  if (groups.length === 0) return <Empty>{t('settings.none_found')}</Empty>;
  return groups.map((group) => {
    const rows = settings.filter((one) => one.group === group);
    return (
      <details key={`${group} ${String(isFiltered)}`} className="fold" open={isFiltered}>
        <summary>
          <span>
            <b lang="en">{group}</b> <span className="muted">{rows.length}</span>
          </span>
          <DownIcon />
        </summary>
        <SettingTable group={group} rows={rows} />
      </details>
    );
  });
}

/** @returns whether every word of the text occurs in the name, description, value, file or group of the setting */
function matches({ name, about, value, file, group }: Setting, text: string): boolean {
  const content = [name, about, value, file, group].join(' ').toLowerCase();
  return text
    .toLowerCase()
    .split(/\s+/)
    .every((word) => content.includes(word));
}

const ORIGINS: Readonly<Record<Setting['origin'], PhraseKey>> = {
  environment: 'settings.origin_environment',
  file: 'settings.origin_file',
  default: 'settings.origin_default',
};

function SettingTable({ group, rows }: { group: string; rows: readonly Setting[] }) {
  const { t } = useTranslation();
  const columns = useMemo(
    (): Columns<Setting> => [
      {
        id: 'setting',
        header: t('settings.name'),
        cell: ({ row: { original } }) => (
          <div>
            <code>{original.name}</code>
            <p className="muted" lang="en">
              {original.about}
            </p>
          </div>
        ),
      },
      { id: 'value', header: t('settings.value'), cell: ({ row }) => <ValueCell setting={row.original} /> },
      { id: 'origin', header: t('settings.origin'), cell: ({ row }) => t(ORIGINS[row.original.origin]) },
    ],
    [t],
  );
  return <DataTable className="settings" label={group} columns={columns} rows={rows} toKey={({ name }) => name} />;
}

function ValueCell({ setting: { origin, secret, value, file, default: fallback } }: { setting: Setting }) {
  const { t } = useTranslation();
  const text = origin === 'default' ? fallback : (value ?? file);
  if (secret && origin !== 'default' && file === null) return t('settings.secret_set');
  if (text === null || (secret && origin === 'default')) return <span className="muted">{t('settings.not_set')}</span>;
  return (
    <span className={origin === 'default' ? 'muted' : ''}>
      <UserText text={text} />
    </span>
  );
}
