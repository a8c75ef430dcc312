/** What a page shows while its data are loading, if loading fails, and if there are no data. */
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { FaultAlert } from './fault-alert.js';

export function Loading() {
  const { t } = useTranslation();
  return (
    <p className="loading" role="status">
      <span className="spinner" aria-hidden="true" /> {t('load.loading')}
    </p>
  );
}

export function Empty({ children }: { children: ReactNode }) {
  return <div className="empty">{children}</div>;
}

interface ListStateProps {
  error: unknown;
  onRetry(): void;
  /** Undefined until the rows are loaded. */
  rows: readonly unknown[] | undefined;
  /** The message if there are no rows. */
  none: ReactNode;
  /** The list, if there are rows. */
  children: ReactNode;
}

export function ListState({ error, onRetry, rows, none, children }: ListStateProps) {
  return (
    <>
      {error !== null && <FaultAlert error={error} onRetry={onRetry} />}
      {rows === undefined && error === null && <Loading />}
      {rows?.length === 0 && <Empty>{none}</Empty>}
      {rows !== undefined && rows.length > 0 && children}
    </>
  );
}
