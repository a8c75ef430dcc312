/**
 * Explains why a challenge cannot be used, with a link to restart the request or to return to the app (LOG-5, LOG-14). The alert
 * first explains what happened, and then shows the message of the specification.
 */
import { useTranslation } from 'react-i18next';
import type { AppState, ChallengeFault } from '../../src/contract/page-state.js';
import { ErrorAlert } from './alert.js';
import { ContinueLink } from './continue-link.js';
import { RequestId } from './request-id.js';

interface Props {
  fault: ChallengeFault | undefined;
  restartUrl: string | undefined;
  /** True if the restart begins with the page that asks for the code of a device. */
  asksCode: true | undefined;
  app: AppState;
}

export function ChallengeAlert({ fault = 'missing', requestId, ...props }: Props & { requestId?: string | undefined }) {
  const { t } = useTranslation();
  return (
    <ErrorAlert code="challenge" message={`challenge.${fault}`}>
      <NextStep fault={fault} {...props} />
      <RequestId id={requestId} />
      <p className="exact">{t('challenge.login')}</p>
    </ErrorAlert>
  );
}

/** The same explanation for an alert that has its own message. */
export function ChallengeFaultText({ fault = 'missing', ...props }: Props) {
  const { t } = useTranslation();
  return (
    <>
      <p>{t(`challenge.${fault}`)}</p>
      <NextStep fault={fault} {...props} />
    </>
  );
}

function NextStep({ fault, restartUrl, asksCode, app }: Props) {
  const { t } = useTranslation();
  if (restartUrl && asksCode) {
    return (
      <>
        {fault === 'no-cookies' && <p>{t('challenge.no-cookies-why')}</p>}
        <p>{t('challenge.from_code')}</p>
        <EnterCodeLink url={restartUrl} />
      </>
    );
  }
  return (
    <>
      {fault === 'no-cookies' && <p>{t('challenge.no-cookies-why')}</p>}
      <p>{t(restartUrl ? 'challenge.from_restart' : 'challenge.from_app')}</p>
      {restartUrl ? <RestartLink url={restartUrl} /> : <ContinueLink app={app} compact />}
    </>
  );
}

export function RestartLink({ url }: { url: string }) {
  const { t } = useTranslation();
  return (
    <a className="btn compact" href={url}>
      {t('challenge.restart')}
    </a>
  );
}

/** Replaces `RestartLink` in a device flow, which can only start again with the code. */
export function EnterCodeLink({ url }: { url: string }) {
  const { t } = useTranslation();
  return (
    <a className="btn compact" href={url}>
      {t('challenge.enter_code')}
    </a>
  );
}
