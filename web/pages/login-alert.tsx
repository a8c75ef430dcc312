/** What went wrong with a sign-in and what to do next (LOG-5, LOG-6). */
import type { AppState, LoginState } from '../../src/contract/page-state.js';
import { phrase } from '../phrases/phrase.js';
import type { MessageKey } from '../phrases/phrase.js';
import { usePhrases } from '../phrases/say.js';
import { ErrorAlert } from '../ui/alert.js';
import { ChallengeFaultText } from '../ui/challenge-fault.js';
import { waitPhrase } from '../ui/wait-phrase.js';

export function LoginAlert({ login, app }: { login: LoginState; app: AppState }) {
  const { text } = usePhrases();
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
      <p>{text(error === 'limited' ? waitPhrase(login.retry_after) : next)}</p>
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
  const { text } = usePhrases();
  const next = NEXT[error];
  return (
    <ErrorAlert code={error} message={phrase(next ? 'login.provider_failed' : 'login.cancelled', { provider })} calm={!next}>
      {next && <p>{text(phrase(next, { provider }))}</p>}
    </ErrorAlert>
  );
}
