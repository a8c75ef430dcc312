/** Shows a link that an operator hands out. Only the component that opens the dialog has the link, until the dialog closes. */
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { CopyButton } from './copy-button.js';
import { Dialog } from './dialog.js';
import { Moment } from './moment.js';
import { Phrase } from './phrase.js';

/** Shown once and stored nowhere. */
export interface Secret {
  url: string;
  token?: string;
  expires_at: string;
}

/** @param result the answer of an operation */
export function isSecret(result: object | null): result is Secret {
  const { url, expires_at: end } = (result ?? {}) as Partial<Record<string, unknown>>;
  return typeof url === 'string' && typeof end === 'string';
}

interface SecretDialogProps {
  title: ReactNode;
  secret: Secret;
  /** States who should receive the link. */
  hint?: ReactNode;
  onClose(): void;
}

export function SecretDialog({ title, secret, hint, onClose }: SecretDialogProps) {
  const { t } = useTranslation();
  return (
    <Dialog title={title} onClose={onClose}>
      <div className="dialog-body">
        <div className="secret" role="group" aria-label={t('secret.title')}>
          <b>{t('secret.title')}</b>
          <code>{secret.url}</code>
          {secret.token !== undefined && (
            <p>
              {t('secret.token')} <code>{secret.token}</code>
            </p>
          )}
          <p>
            <Phrase phrase="secret.until" values={{ time: <Moment at={secret.expires_at} /> }} />
          </p>
        </div>
        <p>{t('secret.text')}</p>
        {hint && <p>{hint}</p>}
      </div>
      <div className="dialog-foot">
        <button type="button" className="button" onClick={onClose}>
          {t('dialog.done')}
        </button>
        <CopyButton text={secret.url} label={t('secret.copy')} isPrimary />
      </div>
    </Dialog>
  );
}
