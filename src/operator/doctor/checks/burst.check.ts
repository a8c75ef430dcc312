/** Tests concurrent sign-ins, only on request. A Hydra with too few database connections does not answer all of them. */
import { tryBurst, type SignInBurst } from '../../../hydra/inspection/sign-in-burst.js';
import type { Check } from '../check.js';
import { fault, hint, ok, type Finding } from '../finding.js';

/** @param size number of browsers that sign in at the same time */
export function buildBurstCheck(size: number): Check {
  return {
    title: 'Concurrent sign-ins',
    async run(examination) {
      const { inspection } = await examination.upstream();
      const isHydraUp = inspection.admin.state === 'as-expected' && inspection.public.state === 'as-expected';
      if (!isHydraUp) return [explainUntested('Hydra does not answer as expected')];
      const burst = await tryBurst(examination.config.hydra, size);
      return [judgeBurst(burst, size), ...findRemainingClient(burst)];
    },
  };
}

function judgeBurst({ timeoutMs, singleMs, concurrentMs, timeouts, trouble }: SignInBurst, size: number): Finding {
  const timeLimit = `${timeoutMs / 1000} s`;
  if (singleMs === null) return explainUntested(trouble ?? `a single sign-in is not answered within ${timeLimit}`);
  if (timeouts > 0 && singleMs >= timeoutMs) return explainUntested(`a single sign-in takes ${formatMs(singleMs)}`);
  if (timeouts > 0) {
    return fault(
      `${timeouts} of ${size} browsers that signed in at the same time got no answer from Hydra within ${timeLimit}; a single sign-in took ${formatMs(singleMs)}. Hydra has too few connections to its database, so its requests wait for each other.`,
      'Add max_conns=40&max_idle_conns=40 to the DSN of Hydra, or raise the existing values, and restart Hydra. max_connections of PostgreSQL must be enough for Hydra and Foyer.',
    );
  }
  if (trouble !== null) return explainUntested(trouble);
  return ok(
    `${size} browsers that signed in at the same time, four times each, took ${formatMs(concurrentMs)} at Hydra; a single sign-in took ${formatMs(singleMs)}.`,
  );
}

const formatMs = (ms: number): string => `${Math.round(ms)} ms`;

function explainUntested(reason: string): Finding {
  return hint(
    `Concurrent sign-ins could not be tested: ${reason}.`,
    'Fix the findings above, or raise the rate limit of a proxy in front of Hydra, then run the doctor again.',
  );
}

function findRemainingClient({ remainingClientId }: SignInBurst): Finding[] {
  if (remainingClientId === null) return [];
  return [hint(`The test client ${remainingClientId} could not be deleted.`, `Run: hydra delete client ${remainingClientId}`)];
}
