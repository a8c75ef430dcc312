/** Explains why a consent failed (CON-6, CON-7). Unless the request was already answered, it also states that nothing was shared. */
import { useTranslation } from 'react-i18next';
import type { AppState, ConsentState } from '../../src/contract/page-state.js';
import { phrase } from '../i18n/phrase.js';
import { ErrorAlert } from '../ui/alert.js';
import { ChallengeFaultText, EnterCodeLink, RestartLink } from '../ui/challenge-fault.js';
import { ContinueLink } from '../ui/continue-link.js';

interface Props {
  consent: ConsentState;
  app: AppState;
}

export function ConsentAlert({ consent, app }: Props) {
  const { t } = useTranslation();
  switch (consent.error) {
    case null:
      return null;
    case 'failed':
      return (
        <ErrorAlert code={consent.error} message="consent.failed">
          <Failure consent={consent} app={app} />
        </ErrorAlert>
      );
    case 'invalid-scope-requested': {
      const { name: client } = consent.client;
      const nextStep = client ? phrase('consent.invalid_scopes_next', { client }) : phrase('consent.invalid_scopes_next_unnamed');
      return (
        <ErrorAlert code={consent.error} message="consent.invalid_scopes">
          <p>{t(...nextStep)}</p>
        </ErrorAlert>
      );
    }
  }
}

function Failure({ consent, app }: Props) {
  const { t } = useTranslation();
  const { challenge_fault: fault, restart_url: restartUrl, restart_asks_code: asksCode } = consent;
  if (fault === 'used') {
    // The app may have received the consent, so the page does not state that nothing was shared, and offers to continue before a restart.
    return (
      <>
        <p>{t('consent.answered')}</p>
        <ContinueLink app={app} compact />
        {restartUrl && (asksCode ? <EnterCodeLink url={restartUrl} /> : <RestartLink url={restartUrl} />)}
      </>
    );
  }
  return (
    <>
      <p>{t('consent.failed_nothing')}</p>
      <ChallengeFaultText fault={fault} restartUrl={restartUrl} asksCode={asksCode} app={app} />
    </>
  );
}
