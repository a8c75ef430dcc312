/** The secret of an authenticator app: as a picture, as text beside it, and as a link for the phone that shows the page. */
import { useTranslation } from 'react-i18next';
import type { TotpSetupState } from '../../../src/contract/mfa-state.js';
import { CopyButton } from './copy-button.js';
import '../../styles/account.css';

/** In pixels of the stylesheet, so that nothing moves when the picture comes. */
const SIZE = 176;

export function QrCode({ setup }: { setup: TotpSetupState }) {
  const { t } = useTranslation();
  return (
    <div className="qr">
      <img src={`data:image/png;base64,${setup.qr_code}`} alt={t('factor.qr_code')} width={SIZE} height={SIZE} />
      <div>
        <p className="quiet-text small">{t('factor.secret')}</p>
        <p className="secret" translate="no">
          {inFours(setup.secret)}
        </p>
        <CopyButton value={setup.secret} label="factor.copy_secret" />
        <a className="btn compact on-phone" href={setup.otpauth_url}>
          {t('factor.open_app')}
        </a>
      </div>
    </div>
  );
}

function inFours(secret: string): string {
  return secret.match(/.{1,4}/g)?.join(' ') ?? '';
}
