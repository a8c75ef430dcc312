/** Why a challenge cannot be used, with a link to restart the request or to return to the app (LOG-5, LOG-14). */
import { useTranslation } from 'react-i18next';
import type { AppState, ChallengeFault } from '../../src/contract/page-state.js';
import { ContinueLink } from './continue-link.js';

interface Props {
  fault: ChallengeFault | undefined;
  restartUrl: string | undefined;
  app: AppState;
}

export function ChallengeFaultText({ fault = 'missing', restartUrl, app }: Props) {
  const { t } = useTranslation();
  return (
    <>
      <p>
        {t(`challenge.${fault}`)} {t(restartUrl ? 'challenge.from_restart' : 'challenge.from_app')}
      </p>
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
