/** Explains why a sign-in failed and what to do next (LOG-5, LOG-6, LOG-17). */
import { useTranslation } from 'react-i18next';
import type { AppState, LoginState } from '../../src/contract/page-state.js';
import type { MessageKey } from '../i18n/phrase.js';
import { ErrorAlert } from '../ui/alert.js';
import { ChallengeAlert } from '../ui/challenge-fault.js';
import { RequestId } from '../ui/request-id.js';
import { Wait } from '../ui/wait.js';
import { LoginRegister, offersRegistration } from './login-register.js';

/** @returns whether the username or the password was wrong, so the password must be typed again */
export const isRejected = ({ error, provider }: LoginState): boolean => error === 'credentials' && provider === undefined;

export function LoginAlert({ login, app }: { login: LoginState; app: AppState }) {
  const { t } = useTranslation();
  const { error, provider, limited } = login;
  if (!error) return null;
  // A sign-in on this page connects the identity.
  if (provider && error === 'connect')
    return (
      <ErrorAlert code={error} message="login.connect" values={{ provider }} tone="info">
        <p>{t('login.connect_next', { provider })}</p>
      </ErrorAlert>
    );
  if (provider) return <ProviderAlert login={login} provider={provider} />;
  if (error === 'challenge') {
    const { challenge_fault: fault, restart_url: restartUrl, restart_asks_code: asksCode, request_id: id } = login;
    return <ChallengeAlert requestId={id} fault={fault} restartUrl={restartUrl} asksCode={asksCode} app={app} />;
  }
  const [message, nextStep] = WORDS[error] ?? ['login.busy', 'login.busy_next'];
  return (
    <ErrorAlert
      code={error}
      message={message}
      tone={message === 'login.stale' ? 'info' : 'danger'}
      aboutField={isRejected(login)}
    >
      <p>
        {limited && `${t('login.paused')} `}
        {error === 'limited' ? <Wait seconds={login.retry_after} /> : t(nextStep)}
      </p>
      {limited && <p>{t('login.paused_known')}</p>}
    </ErrorAlert>
  );
}

const WORDS: Partial<Record<NonNullable<LoginState['error']>, readonly [message: MessageKey, nextStep: MessageKey]>> = {
  credentials: ['login.failed', 'login.failed_next'],
  limited: ['login.limited', 'wait.later'],
  stale: ['login.stale', 'login.stale_next'],
  passkey: ['login.passkey_failed', 'login.passkey_none'],
  'passkey-unknown': ['login.passkey_failed', 'login.passkey_unknown'],
  'passkey-stale': ['login.stale', 'login.stale_next'],
};

const PROVIDER_NEXT_STEPS: Partial<Record<NonNullable<LoginState['error']>, MessageKey>> = {
  credentials: 'login.provider_none',
  'own-proof': 'login.own_proof',
  'new-proof': 'login.new_proof',
  'earlier-session': 'login.earlier_session',
  'provider-refused': 'login.provider_refused',
  'provider-down': 'login.provider_down',
};

/**
 * Explains why a sign-in with a provider failed (LOG-7, PRV-4). A person without an account sees a warning instead of an error, and
 * learns how to get an account.
 */
function ProviderAlert({ login, provider }: { login: LoginState; provider: string }) {
  const { t } = useTranslation();
  const error = login.error ?? 'credentials';
  const nextStep = PROVIDER_NEXT_STEPS[error];
  const isNew = error === 'credentials';
  return (
    <ErrorAlert
      code={error}
      message={nextStep ? 'login.provider_failed' : 'login.cancelled'}
      values={{ provider }}
      tone={nextStep ? (isNew ? 'warning' : 'danger') : 'info'}
    >
      {nextStep && <p>{t(nextStep, { provider })}</p>}
      {isNew &&
        (offersRegistration(login) ? <LoginRegister login={login} className="btn compact" /> : <p>{t('login.ask_contact')}</p>)}
      <RequestId id={login.request_id} />
    </ErrorAlert>
  );
}
