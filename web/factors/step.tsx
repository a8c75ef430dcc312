/**
 * The common parts of the views of the second step: heading, account with a link to cancel, the checkbox that makes the browser trusted,
 * addresses, hidden fields, errors.
 */
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { MANAGE_QUERY, FIELDS } from '../../src/contract/form-fields.js';
import type { MfaVerificationState } from '../../src/contract/mfa-state.js';
import { PATHS } from '../../src/contract/paths.js';
import type { FaultCode, FaultWords } from '../ui/account/fault.js';
import { AccountChip } from '../ui/account-chip.js';
import { Heading } from '../ui/heading.js';
import type { ViewProps } from './factor.js';

interface StepProps extends Pick<ViewProps, 'heading' | 'mfa'> {
  /** Title of the document if a script shows this view in place of another one. */
  newTitle?: string | null;
  children?: ReactNode;
}

/** The top of a view; `children` is shown below the heading. */
export function Step({ heading, mfa, newTitle = null, children }: StepProps) {
  const { t } = useTranslation();
  return (
    <>
      <Heading heading={heading} newTitle={newTitle}>
        {children}
      </Heading>
      {mfa.account && (
        <AccountChip account={mfa.account} label="mfa.signing_in_as">
          {mfa.cancel_url && <a href={mfa.cancel_url}>{t('mfa.not_you')}</a>}
        </AccountChip>
      )}
    </>
  );
}

/**
 * The checkbox that makes the browser trusted. The view of recovery codes omits it, because a person who needs a recovery code has lost
 * a factor.
 */
export function TrustBox({ mfa, className }: Pick<ViewProps, 'mfa'> & { className?: 'needs-script' }) {
  const { t } = useTranslation();
  const { trust_days: days, trust_checked: checked } = mfa;
  if (days === undefined) return null;
  return (
    <label className={className ? `check ${className}` : 'check'}>
      <input type="checkbox" name={FIELDS.trustBrowser} value="true" defaultChecked={checked === true} />{' '}
      {t('mfa.trust_browser', { count: days })}
    </label>
  );
}

/** Builds the address of a view of this step; without a query, of the view that the server chooses. */
export function buildViewUrl(mfa: MfaVerificationState, query: { method?: string; setup?: string } = {}): string {
  const search = new URLSearchParams({ [FIELDS.loginChallenge]: mfa.login_challenge });
  if (query.method) search.set(MANAGE_QUERY.method, query.method);
  if (query.setup) search.set(MANAGE_QUERY.setup, query.setup);
  return `${PATHS.mfaVerify}?${search.toString()}`;
}

export function toHiddenFields(mfa: MfaVerificationState, more: Readonly<Record<string, string>> = {}): Record<string, string> {
  return {
    [FIELDS.loginChallenge]: mfa.login_challenge,
    [FIELDS.xsrf]: mfa.xsrf_token,
    [FIELDS.ticket]: mfa.ticket,
    ...more,
  };
}

/**
 * Explains that only this kind of factor is limited, because each kind has its own limit of attempts (MFV-8).
 * @param otherLinks links to the other factors; null if there are none
 */
export function buildLimitWords(otherLinks: ReactNode): FaultWords {
  return otherLinks ? { 'too many requests': ['fault.limited', 'wait.later', 'mfa.limited_alone'] } : {};
}

/** @returns the error to show in a view; null if there is none, or if another view explains it (`challenge` and `closed`) */
export function toFaultCode({ error }: MfaVerificationState): FaultCode | null {
  if (error === 'limited') return 'too many requests';
  return error === 'challenge' || error === 'closed' ? null : error;
}
