/** The page for HTTP errors (GEN-3, GEN-4, ERR-1, ERR-6), and for sign-ins that a user source or the settings refuse. */
import { useTranslation } from 'react-i18next';
import type { PageOf, ServerErrorState } from '../../src/contract/page-state.js';
import { address } from '../browser/address.js';
import { phrase, type MessageKey } from '../i18n/phrase.js';
import { ErrorDetails } from '../ui/account/error-details.js';
import { ClockIcon, DangerIcon, SignpostIcon } from '../ui/icons.js';
import { Heading, type Outcome } from '../ui/heading.js';
import { Wait } from '../ui/wait.js';
import { ContinueLink } from '../ui/continue-link.js';

type Code = ServerErrorState['code'];

/** The next step for the person. `again` advises trying again: in a moment, or after a wait of known length. */
type Advice = 'error.go_back' | 'error.shorten' | 'error.sign_in_again' | 'error.ask_contact' | 'challenge.from_app' | 'again';

interface Wording {
  heading: MessageKey;
  outcome: Outcome;
  advice: Advice;
}

const LOST_OUTCOME: Outcome = { Icon: SignpostIcon };
const WAIT_OUTCOME: Outcome = { tone: 'warning', Icon: ClockIcon };
const BROKEN_OUTCOME: Outcome = { tone: 'danger', Icon: DangerIcon };

const WORDING: Record<Code, Wording> = {
  bad_request: { heading: 'error.generic', outcome: BROKEN_OUTCOME, advice: 'error.go_back' },
  unauthorized: { heading: 'error.unauthorized_heading', outcome: BROKEN_OUTCOME, advice: 'challenge.from_app' },
  forbidden: { heading: 'error.generic', outcome: BROKEN_OUTCOME, advice: 'error.go_back' },
  page_not_found: { heading: 'error.page_not_found_heading', outcome: LOST_OUTCOME, advice: 'challenge.from_app' },
  method_not_allowed: { heading: 'error.generic', outcome: LOST_OUTCOME, advice: 'challenge.from_app' },
  too_large: { heading: 'error.generic', outcome: BROKEN_OUTCOME, advice: 'error.shorten' },
  unsupported: { heading: 'error.generic', outcome: BROKEN_OUTCOME, advice: 'error.go_back' },
  app_settings: { heading: 'error.generic', outcome: BROKEN_OUTCOME, advice: 'error.ask_contact' },
  limited: { heading: 'error.generic', outcome: WAIT_OUTCOME, advice: 'again' },
  internal: { heading: 'error.internal_heading', outcome: BROKEN_OUTCOME, advice: 'again' },
  unavailable: { heading: 'error.generic', outcome: WAIT_OUTCOME, advice: 'again' },
  source_unavailable: { heading: 'error.source_unavailable_heading', outcome: WAIT_OUTCOME, advice: 'error.sign_in_again' },
  password_change: { heading: 'error.password_change_heading', outcome: WAIT_OUTCOME, advice: 'error.sign_in_again' },
  not_allowed: { heading: 'error.not_allowed_heading', outcome: BROKEN_OUTCOME, advice: 'error.ask_contact' },
  not_admitted: { heading: 'error.not_allowed_heading', outcome: BROKEN_OUTCOME, advice: 'error.ask_contact' },
  no_account: { heading: 'error.not_allowed_heading', outcome: BROKEN_OUTCOME, advice: 'error.ask_contact' },
};

/** The reason phrases of RFC 9110, section 15, and of RFC 6585, section 4 (429), for operators. */
const REASONS: Record<Code, string> = {
  bad_request: 'Bad Request',
  unauthorized: 'Unauthorized',
  forbidden: 'Forbidden',
  page_not_found: 'Not Found',
  method_not_allowed: 'Method Not Allowed',
  too_large: 'Content Too Large',
  unsupported: 'Unsupported Media Type',
  app_settings: 'Forbidden',
  limited: 'Too Many Requests',
  internal: 'Internal Server Error',
  unavailable: 'Service Unavailable',
  source_unavailable: 'Service Unavailable',
  password_change: 'Forbidden',
  not_allowed: 'Forbidden',
  not_admitted: 'Forbidden',
  no_account: 'Forbidden',
};

export const heading = ({ server_error: { code } }: PageOf<'server_error'>) => phrase(WORDING[code].heading);

export function Page({ state }: { state: PageOf<'server_error'> }) {
  const { t } = useTranslation();
  const { code, status, request_id: requestId } = state.server_error;
  return (
    <div className="flow" data-code={toSpecifiedCode(code)}>
      <Heading heading={heading(state)} outcome={WORDING[code].outcome}>
        <p>
          {t(`error.${code}`)} <AdviceText error={state.server_error} />
        </p>
      </Heading>
      <NextStep state={state} />
      <ErrorDetails
        facts={[
          { name: 'facts.error', value: hidesStatus(code) ? '' : `${status} ${REASONS[code]}`, lang: 'en' },
          { name: 'facts.request_id', value: code === 'page_not_found' ? '' : requestId },
        ]}
      />
    </div>
  );
}

/** @returns true if the details omit the status: the heading of 500 contains it, and the other codes are not errors of the request */
function hidesStatus(code: Code): boolean {
  return ['internal', 'password_change', 'not_allowed', 'not_admitted', 'no_account'].includes(code);
}

/** @returns the code of the specification (ERR-1) */
function toSpecifiedCode(code: Code): string {
  return code === 'page_not_found' || code === 'unauthorized' ? code : 'generic';
}

function AdviceText({ error: { code, restart_url: restartUrl, retry_after: seconds } }: { error: ServerErrorState }) {
  const { t } = useTranslation();
  const { advice } = WORDING[code];
  if (advice !== 'again') return t(restartUrl && !needsOutsideChange(advice) ? 'challenge.from_restart' : advice);
  return seconds ? <Wait seconds={seconds} /> : t('wait.moment');
}

/** @returns whether something outside this page must change before another attempt can succeed */
function needsOutsideChange(advice: Advice): boolean {
  return advice === 'error.sign_in_again' || advice === 'error.ask_contact';
}

function NextStep({ state }: { state: PageOf<'server_error'> }) {
  const { t } = useTranslation();
  const { restart_url: restartUrl, password_url: passwordUrl, code } = state.server_error;
  const { advice } = WORDING[code];
  const canTryAgain = advice === 'again' || needsOutsideChange(advice);
  if (!restartUrl && !canTryAgain) {
    const hasForm = advice !== 'challenge.from_app';
    return (
      <div className="tight">
        {hasForm && <BackButton />}
        <ContinueLink app={state.app} isPrimary={!hasForm} />
      </div>
    );
  }
  // Without a restart address, the empty address requests the current address again by GET.
  return (
    <div className="tight">
      {passwordUrl !== undefined && (
        <a className="btn primary" href={passwordUrl} rel="noreferrer">
          {t('error.password_change_link')}
        </a>
      )}
      <a className={passwordUrl === undefined ? 'btn primary' : 'btn'} href={restartUrl ?? ''}>
        {t(canTryAgain ? 'app.try_again' : 'challenge.restart')}
      </a>
    </div>
  );
}

/** Goes back to the refused form. The browser restores the form with its input. */
function BackButton() {
  const { t } = useTranslation();
  return (
    <button className="btn primary needs-script" type="button" onClick={address.goBack}>
      {t('error.back')}
    </button>
  );
}
