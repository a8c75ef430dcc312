/** The second step of a sign-in: the person proves a factor or sets up a first factor (MFV-1 … 3, 5, 6). */
import { readMfaFields } from '../../src/contract/mfa-fields.js';
import type { PageOf } from '../../src/contract/page-state.js';
import { findEnrollable, findFactor } from '../factors/registry.js';
import { phrase, type MessageKey } from '../i18n/phrase.js';
import { CodesView, Enrol } from './mfa-verification-enrol.js';
import { ChallengeView, ClosedView } from './mfa-verification-ends.js';
import { ChooseView, EnrolView, buildOtherLinks } from './mfa-verification-rows.js';

/** The name of a view that sets up a factor consists of this prefix and the name of the factor. */
const ENROL_PREFIX = 'enrol-';

export function heading({ mfa_verification: state }: PageOf<'mfa_verification'>) {
  const { error, view } = readMfaFields(state);
  return phrase(error === 'challenge' || error === 'closed' ? 'mfa.heading' : toHeading(view));
}

function toHeading(view: string): MessageKey {
  if (view === 'enrol') return 'mfa.heading_enrol';
  if (view === 'codes') return 'factor.codes_heading';
  if (view.startsWith(ENROL_PREFIX)) return findEnrollable(view.slice(ENROL_PREFIX.length))?.setUp.heading ?? 'mfa.heading_enrol';
  return findFactor(view)?.verify.heading ?? 'mfa.heading';
}

export function Page({ state }: { state: PageOf<'mfa_verification'> }) {
  const mfa = readMfaFields(state.mfa_verification);
  const props = { heading: heading(state), mfa, app: state.app };
  if (mfa.error === 'challenge') return <ChallengeView {...props} />;
  if (mfa.error === 'closed') return <ClosedView {...props} />;
  if (mfa.view === 'enrol') return <EnrolView {...props} />;
  if (mfa.view === 'codes') return <CodesView {...props} codes={mfa.codes ?? []} token={mfa.mfa_token ?? ''} />;
  const factorToEnrol = mfa.view.startsWith(ENROL_PREFIX) ? findEnrollable(mfa.view.slice(ENROL_PREFIX.length)) : undefined;
  if (factorToEnrol) return <Enrol {...props} factor={factorToEnrol} />;
  const factor = findFactor(mfa.view);
  if (factor) return <factor.verify.View {...props} otherLinks={buildOtherLinks(mfa, factor.name)} />;
  return <ChooseView {...props} />;
}
