/** Selects a factor to verify (MFV-3) or to enrol (MFV-2). */
import { Trans, useTranslation } from 'react-i18next';
import type { MfaVerificationState } from '../../src/contract/mfa-state.js';
import { Isolated } from '../i18n/isolated.js';
import { FaultAlert, useFault } from '../ui/account/fault.js';
import { MethodRows } from '../ui/account/method-rows.js';
import { Notice } from '../ui/notice.js';
import { faultOf, OtherWays, Step, viewUrl } from './mfa-verification-frame.js';
import type { ViewProps } from './mfa-verification-frame.js';

export function ChooseView({ heading, mfa }: ViewProps) {
  const { t } = useTranslation();
  const { fault } = useFault(faultOf(mfa), { retryAfterSeconds: mfa.retry_after });
  return (
    <div className="flow">
      <Step heading={heading} mfa={mfa}>
        <p>{t('mfa.choose_text')}</p>
      </Step>
      <FaultAlert fault={fault} />
      <MethodRows
        rows={[
          { method: 'totp', href: viewUrl(mfa, { method: 'totp' }), title: 'factor.totp', text: 'mfa.totp_row' },
          { method: 'fido2', href: viewUrl(mfa, { method: 'fido2' }), title: 'factor.key', text: 'mfa.key_row' },
        ]}
      />
      <OtherWays mfa={{ ...mfa, totp_registered: false, fido2_registered: false }} but="totp" />
    </div>
  );
}

export function EnrolView({ heading, mfa, app }: ViewProps) {
  const { t } = useTranslation();
  const { fault } = useFault(faultOf(mfa), { retryAfterSeconds: mfa.retry_after });
  return (
    <div className="flow">
      <Step heading={heading} mfa={mfa}>
        <p>
          <WantedBy mfa={mfa} appName={app.name} /> {t('mfa.enrol_text')}
        </p>
      </Step>
      <FaultAlert fault={fault} />
      <Notice tone="warning" message={t('mfa.no_factor')}>
        <p>{t('mfa.no_factor_text')}</p>
      </Notice>
      <MethodRows
        rows={[
          { method: 'totp', href: viewUrl(mfa, { setup: 'totp' }), title: 'factor.totp_heading', text: 'mfa.enrol_totp_row' },
          { method: 'fido2', href: viewUrl(mfa, { setup: 'fido2' }), title: 'factor.key_heading', text: 'mfa.enrol_key_row' },
        ]}
      />
    </div>
  );
}

/** Who asks for a second step. */
function WantedBy({ mfa: { wanted_by: by, client }, appName }: { mfa: MfaVerificationState; appName: string }) {
  if (by === 'client' && client?.name) {
    const components = { client: <Isolated text={client.name} />, name: <b /> };
    return <Trans i18nKey="mfa.wanted_by_client" components={components} />;
  }
  const key = by === 'account' ? 'mfa.wanted_by_account' : 'mfa.wanted_by_app';
  return <Trans i18nKey={key} components={{ app: <Isolated text={appName} /> }} />;
}
