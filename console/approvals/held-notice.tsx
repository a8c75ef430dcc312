/** Says that an operation waits for a second operator. */
import { useTranslation } from 'react-i18next';
import { useNotices } from '../ui/notice.js';

/** @returns a function that says so above the page */
export function useHeldNotice(): () => void {
  const { t } = useTranslation();
  const notices = useNotices();
  return () => notices.show(t('approvals.held'), { tone: 'warning' });
}
