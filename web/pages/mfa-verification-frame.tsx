/** What every view of the second step has: heading, whose sign-in it is with the way out, addresses and hidden fields. */
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { AREA_QUERY, FIELDS } from '../../src/contract/form-fields.js';
import type { MfaVerificationState } from '../../src/contract/mfa-state.js';
import type { AppState } from '../../src/contract/page-state.js';
import { PATHS } from '../../src/contract/paths.js';
import type { FaultCode } from '../ui/account/fault.js';
import type { Phrase } from '../i18n/phrase.js';
import { Plate } from '../ui/plate.js';
import { Sign } from '../ui/sign.js';

export interface ViewProps {
  heading: Phrase;
  mfa: MfaVerificationState;
  app: AppState;
}

interface StepProps extends Pick<ViewProps, 'heading' | 'mfa'> {
  /** Title of the window, where a script shows this view in the place of another. */
  arrivesAs?: string | null;
  children?: ReactNode;
}

/** The top of a view; `children` stands below the heading. */
export function Step({ heading, mfa, arrivesAs = null, children }: StepProps) {
  const { t } = useTranslation();
  return (
    <>
      <Sign heading={heading} arrivesAs={arrivesAs}>
        {children}
      </Sign>
      {mfa.account && (
        <Plate account={mfa.account} label="mfa.signing_in_as">
          {mfa.cancel_url && <a href={mfa.cancel_url}>{t('area.cancel')}</a>}
        </Plate>
      )}
    </>
  );
}

/** Another view of the same step. */
export function viewUrl(mfa: MfaVerificationState, query: { method?: string; setup?: string } = {}): string {
  const search = new URLSearchParams({ [FIELDS.loginChallenge]: mfa.login_challenge });
  if (query.method) search.set(AREA_QUERY.method, query.method);
  if (query.setup) search.set(AREA_QUERY.setup, query.setup);
  return `${PATHS.mfaVerify}?${search.toString()}`;
}

export function hiddenFields(mfa: MfaVerificationState, more: Readonly<Record<string, string>> = {}): Record<string, string> {
  return {
    [FIELDS.loginChallenge]: mfa.login_challenge,
    [FIELDS.xsrf]: mfa.xsrf_token,
    [FIELDS.ticket]: mfa.ticket,
    ...more,
  };
}

/** What the page can say beside the field; the ends of a sign-in have views of their own. */
export function faultOf({ error }: MfaVerificationState): FaultCode | null {
  if (error === 'limited') return 'too many requests';
  return error === 'challenge' || error === 'closed' ? null : error;
}

/** The other ways to prove it, as quiet links. */
export function OtherWays({ mfa, but }: { mfa: MfaVerificationState; but: 'totp' | 'fido2' | 'recovery' }) {
  const { t } = useTranslation();
  return (
    <>
      {but !== 'totp' && mfa.totp_registered && (
        <a className="btn quiet" href={viewUrl(mfa, { method: 'totp' })}>
          {t('mfa.use_totp')}
        </a>
      )}
      {but !== 'fido2' && mfa.fido2_registered && (
        <a className="btn quiet" href={viewUrl(mfa, { method: 'fido2' })}>
          {t('mfa.use_key')}
        </a>
      )}
      {but !== 'recovery' && mfa.recovery_codes_left && (
        <a className="btn quiet" href={viewUrl(mfa, { method: 'recovery' })}>
          {t('mfa.use_recovery')}
        </a>
      )}
    </>
  );
}
