/** The views for a sign-in that cannot continue: its challenge cannot be used, or it was closed after too many wrong codes (MFV-8). */
import { useTranslation } from 'react-i18next';
import { ErrorAlert } from '../ui/alert.js';
import { ChallengeAlert, RestartLink } from '../ui/challenge-fault.js';
import { Heading } from '../ui/heading.js';
import { ContinueLink } from '../ui/continue-link.js';
import type { ViewProps } from '../factors/factor.js';

export function ChallengeView({ heading, mfa, app }: ViewProps) {
  return (
    <div className="flow">
      <Heading heading={heading} client={mfa.client} />
      <ChallengeAlert
        requestId={mfa.request_id}
        fault={mfa.challenge_fault}
        restartUrl={mfa.restart_url}
        asksCode={mfa.restart_asks_code}
        app={app}
      />
    </div>
  );
}

export function ClosedView({ heading, mfa, app }: ViewProps) {
  const { t } = useTranslation();
  const restartUrl = mfa.restart_url ?? mfa.cancel_url;
  return (
    <div className="flow">
      <Heading heading={heading} client={mfa.client} />
      <ErrorAlert code="closed" message="mfa.closed">
        <p>
          {t('mfa.closed_text')} {t(restartUrl ? 'challenge.from_restart' : 'challenge.from_app')}
        </p>
        {restartUrl ? <RestartLink url={restartUrl} /> : <ContinueLink app={app} compact />}
      </ErrorAlert>
    </div>
  );
}
