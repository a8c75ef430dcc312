/** The filters of a list. On a phone the filters open below a button, so that the list begins on the first screen. */
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Fold } from './fold.js';

interface FilterPanelProps {
  /** How many filters are set. */
  activeCount: number;
  children: ReactNode;
}

export function FilterPanel({ activeCount, children }: FilterPanelProps) {
  const { t } = useTranslation();
  return (
    <div className="filter-panel">
      <Fold className="filters" label={activeCount === 0 ? t('filter.title') : t('filter.title_active', { count: activeCount })}>
        {children}
      </Fold>
    </div>
  );
}

/** @returns how many of these values are set */
export const countActive = (...values: readonly unknown[]): number => values.filter((value) => value !== undefined).length;
