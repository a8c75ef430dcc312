/** The way to the next page of a list and back to the first. The server counts nothing, so there are no numbers of pages. */
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { ActivityFilters } from '../activity/activity-filters.js';
import type { MailFilters } from '../installation/mail-filters.js';
import type { PeopleFilters } from '../people/people-filters.js';

interface PagerProps {
  to: '/people' | '/activity' | '/installation/mails';
  first: (PeopleFilters & ActivityFilters & MailFilters) | undefined;
  next: (PeopleFilters & ActivityFilters & MailFilters) | undefined;
  firstLabel?: string;
  nextLabel: string;
}

export function Pager({ to, first, next, firstLabel, nextLabel }: PagerProps) {
  const { t } = useTranslation();
  if (!first && !next) return null;
  return (
    <nav className="pager" aria-label={t('pager.label')}>
      {first ? (
        <Link to={to} search={first} className="button">
          {firstLabel ?? t('pager.first')}
        </Link>
      ) : (
        <span />
      )}
      {next && (
        <Link to={to} search={next} className="button">
          {nextLabel}
        </Link>
      )}
    </nav>
  );
}
