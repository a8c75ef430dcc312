/**
 * The buttons of a form of the account area. With script, Save is disabled until the input is valid. Without script, the server
 * validates the input. The markup contains a button for each case, and the stylesheet shows one of them. The first button also handles
 * the Enter key.
 */
import { useTranslation } from 'react-i18next';
import { CancelLink } from './cancel-link.js';
import { SubmitButton } from '../form.js';

export function SaveOrCancel({ isReady }: { isReady: boolean }) {
  const { t } = useTranslation();
  const words = { label: t('settings.save'), busyLabel: t('settings.saving') };
  return (
    <div className="actions">
      <SubmitButton primary className="without-script" {...words} />
      <SubmitButton primary className="needs-script" disabled={!isReady} isOnlyVisible {...words} />
      <CancelLink />
    </div>
  );
}
