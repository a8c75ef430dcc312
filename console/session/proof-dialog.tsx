/**
 * The dialog above the page when the session has ended or a call needs a fresh proof. The proof takes place in another window, so
 * the page keeps what was typed. The other window announces the proof (`proven-page.tsx`), and the waiting calls are sent again.
 */
import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useEffect, useState, useSyncExternalStore, type MouseEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../api/api-error.js';
import { Dialog } from '../ui/dialog.js';
import { FaultAlert } from '../ui/fault-alert.js';
import { UserText } from '../ui/user-text.js';
import { Phrase } from '../ui/phrase.js';
import { proofRequests, type ProofKind } from './proof-requests.js';
import { PROVEN_CHANNEL } from './proven-page.js';
import { useSession } from './session-context.js';
import { PATHS, buildSignInUrl, fetchSession, sessionQuery, type Session } from './session.js';

const WINDOW_FEATURES = 'popup,width=520,height=760';

export function ProofDialog() {
  const kind = useSyncExternalStore(proofRequests.subscribe, proofRequests.findKind);
  return kind === null ? null : <OpenProofDialog kind={kind} key={kind} />;
}

function OpenProofDialog({ kind }: { kind: ProofKind }) {
  const { t } = useTranslation();
  const { operator } = useSession();
  const { error, check } = useProofCheck(kind);
  const isFresh = kind === 'proof_outdated';
  return (
    <Dialog
      title={t(isFresh ? 'proof.fresh_title' : 'proof.sign_in_title')}
      className={`narrow ${isFresh ? '' : 'veiled'}`}
      // Nothing can be done without a session, so this question cannot be put off.
      onClose={isFresh ? () => proofRequests.settle(false) : undefined}
    >
      <div className="dialog-body">
        <p>
          <Phrase
            phrase={isFresh ? 'proof.fresh_text' : 'proof.sign_in_text'}
            values={{
              name: (
                <b>
                  <UserText text={operator.username} />
                </b>
              ),
            }}
          />
        </p>
        {error !== null && <FaultAlert error={error} />}
      </div>
      <ProofButtons isFresh={isFresh} onDone={() => void check(true)} />
    </Dialog>
  );
}

function ProofButtons({ isFresh, onDone }: { isFresh: boolean; onDone: () => void }) {
  const { t } = useTranslation();
  const [isOpened, setIsOpened] = useState(false);
  const open = (event: MouseEvent<HTMLAnchorElement>): void => {
    openWindow(event);
    setIsOpened(true);
  };
  return (
    <div className="dialog-foot">
      {isFresh && (
        <button type="button" className="button" onClick={() => proofRequests.settle(false)}>
          {t('dialog.cancel')}
        </button>
      )}
      {isOpened && (
        <button type="button" className="button" onClick={onDone}>
          {t('proof.done')}
        </button>
      )}
      <a className="button primary" href={buildSignInUrl(PATHS.proven, isFresh)} target="_blank" rel="noopener" onClick={open}>
        {t(isFresh ? 'proof.confirm' : 'proof.sign_in')}
      </a>
    </div>
  );
}

/** Opens a window, which can close itself at the end. If the browser blocks the window, the link opens a tab. */
function openWindow(event: MouseEvent<HTMLAnchorElement>): void {
  const proofWindow = window.open(event.currentTarget.href, 'foyer-console-proof', WINDOW_FEATURES);
  if (proofWindow === null) return;
  event.preventDefault();
  // The sign-in may lead to pages of providers, which must not be able to replace this page.
  proofWindow.opener = null;
}

/** Checks for the proof when the other window announces it, when the operator returns to this window, and when `check` is called. */
function useProofCheck(kind: ProofKind): { error: unknown; check: (isAsked: boolean) => Promise<void> } {
  const client = useQueryClient();
  const previousSession = useSession();
  const [error, setError] = useState<unknown>(null);
  const check = async (isAsked: boolean): Promise<void> => {
    try {
      await checkProof(kind, previousSession, client);
      setError(null);
    } catch (cause) {
      // Coming back to the window without a proof is not a mistake.
      if (isAsked) setError(cause);
    }
  };
  useEffect(() => {
    const channel = new BroadcastChannel(PROVEN_CHANNEL);
    const onReturn = (): void => {
      if (document.visibilityState === 'visible') void check(false);
    };
    channel.onmessage = () => void check(true);
    window.addEventListener('focus', onReturn);
    document.addEventListener('visibilitychange', onReturn);
    return () => {
      channel.close();
      window.removeEventListener('focus', onReturn);
      document.removeEventListener('visibilitychange', onReturn);
    };
  });
  return { error, check };
}

/**
 * Sends the waiting calls again if the proof was given, and loads the page again if somebody else has signed in.
 * @throws ApiError if there is still no session or no fresh proof, or the server answers with another error, UnreachableError
 */
async function checkProof(kind: ProofKind, previousSession: Session, client: QueryClient): Promise<void> {
  const session = await fetchSession();
  // The page and what was typed on it belong to the former operator.
  if (session.operator.account_id !== previousSession.operator.account_id) {
    location.reload();
    return;
  }
  if (kind === 'proof_outdated' && !isFresher(session, previousSession)) {
    throw new ApiError(403, 'proof_outdated', 'The proof is not newer than the previous one.');
  }
  client.setQueryData(sessionQuery.queryKey, session);
  proofRequests.settle(true);
}

function isFresher({ fresh_until: freshUntil }: Session, { fresh_until: previousUntil }: Session): boolean {
  return freshUntil !== null && (previousUntil === null || Date.parse(freshUntil) > Date.parse(previousUntil));
}
