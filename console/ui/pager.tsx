/** Links to the next page of a list and back to the first. The server does not count the rows, so the pages have no numbers. */
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { ActivityFilters } from '../activity/activity-filters.js';
import type { MailFilters } from '../installation/mail-filters.js';
import type { SinkFilters } from '../installation/sink-filters.js';
import type { PeopleFilters } from '../people/people-filters.js';

type ListPath =
  | '/people'
  | '/people/jobs'
  | '/people/invitations'
  | '/apps'
  | '/activity'
  | '/approvals'
  | '/sign-ups'
  | '/installation/operators'
  | '/installation/mails'
  | '/installation/events';

interface PagerProps {
  to: ListPath;
  /** The filters of the list, with the cursor of the page that is shown. */
  filters: PeopleFilters &
    ActivityFilters &
    Omit<MailFilters, 'state'> &
    Omit<SinkFilters, 'state'> & { state?: string | undefined };
  /** The cursor of the next page, if there is one. */
  nextCursor: string | undefined;
  firstLabel?: string;
  nextLabel?: string;
}

export function Pager({ to, filters, nextCursor, firstLabel, nextLabel }: PagerProps) {
  const { t } = useTranslation();
  if (filters.cursor === undefined && nextCursor === undefined) return null;
  return (
    <nav className="pager" aria-label={t('pager.label')}>
      {filters.cursor === undefined ? (
        <span />
      ) : (
        <Link to={to} search={{ ...filters, cursor: undefined }} className="button">
          {firstLabel ?? t('pager.first')}
        </Link>
      )}
      {nextCursor !== undefined && (
        <Link to={to} search={{ ...filters, cursor: nextCursor }} className="button">
          {nextLabel ?? t('pager.next')}
        </Link>
      )}
    </nav>
  );
}
