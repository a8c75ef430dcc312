/**
 * The buttons of a form of the account area. With script, Save is disabled until the input is valid; without, the server
 * validates. The markup contains both buttons and the stylesheet shows one. The first one also handles the Enter key.
 */
import { useTranslation } from 'react-i18next';
import { CancelLink } from './cancel-link.js';
import { SubmitButton } from '../form.js';

export function SaveOrCancel({ isReady }: { isReady: boolean }) {
  const { t } = useTranslation();
  const words = { label: t('settings.save'), busyLabel: t('settings.saving') };
  return (
    <div className="actions">
      <SubmitButton primary look="without-script" {...words} />
      <SubmitButton primary look="needs-script" disabled={!isReady} {...words} />
      <CancelLink />
    </div>
  );
}
