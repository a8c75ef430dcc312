/** What went wrong with a sign-in and what to do next (LOG-5, LOG-6). */
import { useTranslation } from 'react-i18next';
import type { AppState, LoginState } from '../../src/contract/page-state.js';
import type { MessageKey } from '../i18n/phrase.js';
import { ErrorAlert } from '../ui/alert.js';
import { ChallengeFaultText } from '../ui/challenge-fault.js';
import { waitPhrase } from '../ui/wait-phrase.js';

export function LoginAlert({ login, app }: { login: LoginState; app: AppState }) {
  const { t } = useTranslation();
  const { error, provider } = login;
  if (!error) return null;
  if (provider) return <ProviderAlert error={error} provider={provider} />;
  if (error === 'challenge') {
    return (
      <ErrorAlert code={error} message="challenge.login">
        <ChallengeFaultText fault={login.challenge_fault} restartUrl={login.restart_url} app={app} />
      </ErrorAlert>
    );
  }
  const [message, next] = WORDS[error] ?? ['login.busy', 'login.busy_next'];
  return (
    <ErrorAlert code={error} message={message} calm={error === 'stale'}>
      <p>{error === 'limited' ? t(...waitPhrase(login.retry_after)) : t(next)}</p>
    </ErrorAlert>
  );
}

const WORDS: Partial<Record<NonNullable<LoginState['error']>, readonly [message: MessageKey, next: MessageKey]>> = {
  credentials: ['login.failed', 'login.failed_next'],
  limited: ['login.limited', 'wait.later'],
  stale: ['login.stale', 'login.stale_next'],
};

const NEXT: Partial<Record<NonNullable<LoginState['error']>, MessageKey>> = {
  credentials: 'login.provider_none',
  'own-proof': 'login.own_proof',
  'provider-refused': 'login.provider_refused',
  'provider-down': 'login.provider_down',
};

/** LOG-7, PRV-4. */
function ProviderAlert({ error, provider }: { error: NonNullable<LoginState['error']>; provider: string }) {
  const { t } = useTranslation();
  const next = NEXT[error];
  return (
    <ErrorAlert code={error} message={next ? 'login.provider_failed' : 'login.cancelled'} values={{ provider }} calm={!next}>
      {next && <p>{t(next, { provider })}</p>}
    </ErrorAlert>
  );
}
