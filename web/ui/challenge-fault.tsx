/** Why a request cannot be used, and the way on: into it again, else to the app. Never a dead end (LOG-5, LOG-14). */
import { useTranslation } from 'react-i18next';
import type { AppState, ChallengeFault } from '../../src/contract/page-state.js';
import { WayOn } from './way-on.js';

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
      {restartUrl ? <RestartLink url={restartUrl} /> : <WayOn app={app} compact />}
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
