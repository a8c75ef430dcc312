/**
 * Notices that the session has ended because it was idle or its time is over, so that the page is hidden soon afterwards and not only at
 * the next click.
 * Its calls do not keep the session alive.
 */
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { ApiError } from '../api/api-error.js';
import { getIdleTime } from '../api/send.js';
import { proofRequests } from './proof-requests.js';
import { useSession } from './session-context.js';
import { fetchSession, sessionQuery } from './session.js';

const CHECK_INTERVAL_MS = 15_000;
/** The clock of the server decides, so the page calls a little later. */
const DELAY_MS = 3_000;

export function IdleWatch() {
  const { idle_seconds: idleSeconds, ends_at: endsAt, operator } = useSession();
  const { account_id: operatorId } = operator;
  const client = useQueryClient();
  useEffect(() => {
    const timer = setInterval(() => {
      // Another tab may keep the session alive, and a check may have no answer, so the next check follows soon.
      const isDue = getIdleTime() >= idleSeconds * 1000 + DELAY_MS || Date.now() >= Date.parse(endsAt) + DELAY_MS;
      if (!isDue || proofRequests.findKind() === 'signed_out') return;
      fetchSession(true).then(
        (session) => {
          // The page and what was typed on it belong to the former operator.
          if (session.operator.account_id !== operatorId) location.reload();
          else client.setQueryData(sessionQuery.queryKey, session);
        },
        (error: unknown) => {
          if (error instanceof ApiError && error.code === 'signed_out') void proofRequests.ask('signed_out');
        },
      );
    }, CHECK_INTERVAL_MS);
    return () => clearInterval(timer);
  }, [client, idleSeconds, endsAt, operatorId]);
  return null;
}
