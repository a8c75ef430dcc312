/** Why a request cannot be used, and the way back into it: never a dead end (LOG-5, LOG-14). */
import type { ChallengeFault } from '../../src/contract/page-state.js';
import { usePhrases } from '../phrases/say.js';

interface Props {
  fault: ChallengeFault | undefined;
  restartUrl: string | undefined;
}

export function ChallengeFaultText({ fault = 'missing', restartUrl }: Props) {
  const { text } = usePhrases();
  return (
    <>
      <p>
        {text(`challenge.${fault}`)} {text(restartUrl ? 'challenge.from_restart' : 'challenge.from_app')}
      </p>
      {restartUrl && (
        <a className="btn compact" href={restartUrl}>
          {text('challenge.restart')}
        </a>
      )}
    </>
  );
}
