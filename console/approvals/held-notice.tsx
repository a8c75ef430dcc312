/** The notice that an operation waits for a second operator, with a link to the operation. */
import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { Approval } from '../api/calls.js';
import { APPROVALS_KEY } from '../api/queries.js';
import { Moment } from '../ui/moment.js';
import { useNotices } from '../ui/notice.js';
import { Phrase } from '../ui/phrase.js';

/** @returns a function that shows the notice above the page */
export function useHeldNotice(): (approval: Approval) => void {
  const client = useQueryClient();
  const notices = useNotices();
  return (approval) => {
    notices.show(<HeldNotice approval={approval} />, { tone: 'warning' });
    void client.invalidateQueries({ queryKey: APPROVALS_KEY });
  };
}

function HeldNotice({ approval: { id, not_before: notBefore } }: { approval: Approval }) {
  const { t } = useTranslation();
  return (
    <>
      {notBefore === null ? (
        t('approvals.held')
      ) : (
        <Phrase phrase="approvals.held_early" values={{ time: <Moment at={notBefore} /> }} />
      )}{' '}
      <Link to="/approvals/$id" params={{ id }}>
        {t('approvals.held_link')}
      </Link>
    </>
  );
}
