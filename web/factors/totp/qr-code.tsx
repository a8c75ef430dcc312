/** The secret of an authenticator app: as a QR code, as text, and as a link for phones. */
import { useTranslation } from 'react-i18next';
import type { TotpSetupState } from '../../../src/contract/mfa-state.js';
import { CopyButton } from '../../ui/account/copy-button.js';
import '../../styles/account.css';

/** In CSS pixels. The size is fixed, so that the layout does not shift when the image is decoded. */
const SIZE = 176;

export function QrCode({ setup }: { setup: TotpSetupState }) {
  const { t } = useTranslation();
  return (
    <div className="qr">
      <img src={`data:image/png;base64,${setup.qr_code}`} alt={t('factor.qr_code')} width={SIZE} height={SIZE} />
      <div>
        <p className="quiet-text small">{t('factor.secret')}</p>
        <p className="secret" translate="no">
          {groupByFour(setup.secret)}
        </p>
        <CopyButton value={setup.secret} label="factor.copy_secret" />
        <a className="btn compact on-phone" href={setup.otpauth_url}>
          {t('factor.open_app')}
        </a>
      </div>
    </div>
  );
}

function groupByFour(secret: string): string {
  return secret.match(/.{1,4}/g)?.join(' ') ?? '';
}
