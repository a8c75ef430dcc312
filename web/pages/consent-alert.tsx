/** Why a consent did not happen (CON-6, CON-7). In every case nothing has been shared, and the page says so. */
import type { ConsentState } from '../../src/contract/page-state.js';
import { phrase } from '../phrases/phrase.js';
import { usePhrases } from '../phrases/say.js';
import { ErrorAlert } from '../ui/alert.js';
import { ChallengeFaultText } from '../ui/challenge-fault.js';

export function ConsentAlert({ consent }: { consent: ConsentState }) {
  const { text } = usePhrases();
  if (consent.challenge_fault) {
    return (
      <ErrorAlert code={consent.error ?? 'failed'} message="consent.failed">
        <p>{text('consent.failed_nothing')}</p>
        <ChallengeFaultText fault={consent.challenge_fault} restartUrl={consent.restart_url} />
      </ErrorAlert>
    );
  }
  switch (consent.error) {
    case null:
      return null;
    case 'failed':
      return (
        <ErrorAlert code={consent.error} message="consent.failed">
          <p>{text('consent.failed_next')}</p>
        </ErrorAlert>
      );
    case 'invalid-scope-requested': {
      const client = consent.client.name || text('consent.the_app');
      return (
        <ErrorAlert code={consent.error} message="consent.invalid_scopes">
          <p>{text(phrase('consent.invalid_scopes_next', { client }))}</p>
        </ErrorAlert>
      );
    }
  }
}
