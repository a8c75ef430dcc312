/** Which way: both factors are there (MFV-3), or none is and one is wanted (MFV-2). */
import type { ReactNode } from 'react';
import { phrase } from '../phrases/phrase.js';
import { Say, usePhrases } from '../phrases/say.js';
import { FaultAlert, useFault } from '../ui/account/fault.js';
import { MethodRows } from '../ui/account/method-rows.js';
import { Notice } from '../ui/notice.js';
import { faultOf, OtherWays, Step, viewUrl } from './mfa-verification-frame.js';
import type { ViewProps } from './mfa-verification-frame.js';

export function ChooseView({ heading, mfa }: ViewProps) {
  const { text } = usePhrases();
  const { fault } = useFault(faultOf(mfa), { retryAfterSeconds: mfa.retry_after });
  return (
    <div className="flow">
      <Step heading={heading} mfa={mfa}>
        <p>{text('mfa.choose_text')}</p>
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
  const { text } = usePhrases();
  const { fault } = useFault(faultOf(mfa), { retryAfterSeconds: mfa.retry_after });
  const wanted =
    mfa.wanted_by === 'client' && mfa.client?.name
      ? phrase('mfa.wanted_by_client', { client: mfa.client.name })
      : phrase(mfa.wanted_by === 'account' ? 'mfa.wanted_by_account' : 'mfa.wanted_by_app', { app: app.name });
  return (
    <div className="flow">
      <Step heading={heading} mfa={mfa}>
        <p>
          <Say phrase={wanted} marks={{ name: (words: ReactNode) => <b>{words}</b> }} /> {text('mfa.enrol_text')}
        </p>
      </Step>
      <FaultAlert fault={fault} />
      <Notice tone="warning" message={text('mfa.no_factor')}>
        <p>{text('mfa.no_factor_text')}</p>
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
