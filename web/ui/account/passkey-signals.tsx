/** Reports to the browser which passkeys the account has. The component renders nothing. */
import { useEffect } from 'react';
import type { AcceptedPasskeysState } from '../../../src/contract/passkey-state.js';

export function PasskeySignals({ passkeys }: { passkeys: AcceptedPasskeysState | undefined }) {
  useEffect(() => {
    if (passkeys) void import('../../browser/passkeys/signals.js').then(({ signalPasskeys }) => signalPasskeys(passkeys));
  }, [passkeys]);
  return null;
}
