/** The filters of a list. On a phone they unfold, so that the list begins on the first screen. */
import { useId, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { DownIcon } from './icons.js';

interface FilterPanelProps {
  /** How many filters are set. */
  active: number;
  children: ReactNode;
}

export function FilterPanel({ active, children }: FilterPanelProps) {
  const { t } = useTranslation();
  const [isOpen, setIsOpen] = useState(false);
  const id = useId();
  return (
    <div className="filter-panel">
      <button
        type="button"
        className="button filter-toggle"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setIsOpen(!isOpen)}
      >
        {active === 0 ? t('filter.title') : t('filter.title_active', { count: active })} <DownIcon />
      </button>
      <div id={id} className={isOpen ? 'filters' : 'filters folded'}>
        {children}
      </div>
    </div>
  );
}

/** @returns how many of these values are set */
export const countActive = (...values: readonly unknown[]): number => values.filter((value) => value !== undefined).length;
