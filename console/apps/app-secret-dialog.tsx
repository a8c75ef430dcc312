/** Shows the secret of an app once. Only the component that opens the dialog has the secret, until the dialog closes. */
import { useTranslation } from 'react-i18next';
import { CopyButton } from '../ui/copy-button.js';
import { Dialog } from '../ui/dialog.js';
import { Phrase } from '../ui/phrase.js';
import { UserText } from '../ui/user-text.js';

interface AppSecretDialogProps {
  id: string;
  name: string;
  /** Null for an app without a secret. */
  secret: string | null;
  isNew?: boolean;
  onClose(): void;
}

export function AppSecretDialog({ id, name, secret, isNew = false, onClose }: AppSecretDialogProps) {
  const { t } = useTranslation();
  const values = { name: <UserText text={name || id} /> };
  return (
    <Dialog title={<Phrase phrase={isNew ? 'apps.created' : 'apps.rotated'} values={values} />} onClose={onClose}>
      <div className="dialog-body">
        <div className="secret" role="group" aria-label={t('apps.id')}>
          <b>{t('apps.id')}</b>
          <code>
            <UserText text={id} />
          </code>{' '}
          <CopyButton isIcon text={id} label={t('apps.copy_id')} />
        </div>
        {secret === null ? (
          <p>{t('apps.no_secret')}</p>
        ) : (
          <>
            <div className="secret" role="group" aria-label={t('apps.secret')}>
              <b>{t('apps.secret')}</b>
              <code>{secret}</code>
            </div>
            <p>{t('apps.secret_once')}</p>
          </>
        )}
      </div>
      <div className="dialog-foot">
        <button type="button" className="button" onClick={onClose}>
          {t('dialog.done')}
        </button>
        {secret !== null && <CopyButton text={secret} label={t('apps.copy_secret')} isPrimary />}
      </div>
    </Dialog>
  );
}
