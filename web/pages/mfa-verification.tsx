/** The second step of a sign-in: prove a factor, or set up the first one (MFV-1 … 3, 5, 6). */
import { readMfaFields } from '../../src/contract/mfa-fields.js';
import type { MfaVerificationState } from '../../src/contract/mfa-state.js';
import type { MfaVerificationPage } from '../../src/contract/page-state.js';
import { phrase } from '../i18n/phrase.js';
import type { MessageKey } from '../i18n/phrase.js';
import { RecoveryForm, TotpForm } from './mfa-verification-code.js';
import { CodesView, EnrolKey, EnrolTotp } from './mfa-verification-enrol.js';
import { ChallengeView, ClosedView } from './mfa-verification-ends.js';
import { KeyView } from './mfa-verification-key.js';
import { ChooseView, EnrolView } from './mfa-verification-rows.js';

const HEADINGS: Record<MfaVerificationState['view'], MessageKey> = {
  choose: 'mfa.heading',
  totp: 'mfa.heading_totp',
  fido2: 'mfa.heading_key',
  recovery: 'mfa.heading_recovery',
  enrol: 'mfa.heading_enrol',
  'enrol-totp': 'factor.totp_heading',
  'enrol-fido2': 'factor.key_heading',
  codes: 'factor.codes_heading',
};

export function heading({ mfa_verification: { error, view } }: MfaVerificationPage) {
  return phrase(error === 'challenge' || error === 'closed' ? 'mfa.heading' : HEADINGS[view]);
}

export function Page({ state }: { state: MfaVerificationPage }) {
  const mfa = readMfaFields(state.mfa_verification);
  const props = { heading: heading(state), mfa, app: state.app };
  if (mfa.error === 'challenge') return <ChallengeView {...props} />;
  if (mfa.error === 'closed') return <ClosedView {...props} />;
  switch (mfa.view) {
    case 'choose':
      return <ChooseView {...props} />;
    case 'totp':
      return <TotpForm {...props} />;
    case 'fido2':
      return <KeyView {...props} />;
    case 'recovery':
      return <RecoveryForm {...props} />;
    case 'enrol':
      return <EnrolView {...props} />;
    case 'enrol-totp':
      return <EnrolTotp {...props} />;
    case 'enrol-fido2':
      return <EnrolKey {...props} />;
    case 'codes':
      return <CodesView {...props} codes={mfa.codes ?? []} token={mfa.mfa_token ?? ''} />;
  }
}
