/** What went wrong with a sign-in and what to do next (LOG-5, LOG-6). */
import type { AppState, LoginState } from '../../src/contract/page-state.js';
import { usePhrases } from '../phrases/say.js';
import { ErrorAlert } from '../ui/alert.js';
import { ChallengeFaultText } from '../ui/challenge-fault.js';
import { waitPhrase } from '../ui/wait-phrase.js';

export function LoginAlert({ login, app }: { login: LoginState; app: AppState }) {
  const { text } = usePhrases();
  switch (login.error) {
    case null:
      return null;
    case 'challenge':
      return (
        <ErrorAlert code={login.error} message="challenge.login">
          <ChallengeFaultText fault={login.challenge_fault} restartUrl={login.restart_url} app={app} />
        </ErrorAlert>
      );
    case 'credentials':
      return (
        <ErrorAlert code={login.error} message="login.failed">
          <p>{text('login.failed_next')}</p>
        </ErrorAlert>
      );
    case 'limited':
      return (
        <ErrorAlert code={login.error} message="login.limited">
          <p>{text(waitPhrase(login.retry_after))}</p>
        </ErrorAlert>
      );
    case 'busy':
      return (
        <ErrorAlert code={login.error} message="login.busy">
          <p>{text('login.busy_next')}</p>
        </ErrorAlert>
      );
  }
}
