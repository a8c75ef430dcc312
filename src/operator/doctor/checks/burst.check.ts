/** Tries several sign-ins at once, which a Hydra with too few database connections does not answer. Only on request. */
import { tryBurst, type SignInBurst } from '../../../hydra/inspection/sign-in-burst.js';
import type { Check } from '../check.js';
import { fault, hint, ok, type Finding } from '../finding.js';

/** @param size number of browsers that sign in at once */
export function burstCheck(size: number): Check {
  return {
    title: 'Sign-ins at once',
    async run(examined) {
      const { seen } = await examined.upstream();
      const isThere = seen.admin.state === 'as-expected' && seen.public.state === 'as-expected';
      if (!isThere) return [untried('Hydra does not answer as expected')];
      const burst = await tryBurst(examined.config.hydra, size);
      return [verdict(burst, size), ...remains(burst)];
    },
  };
}

function verdict({ patienceMs, aloneMs, togetherMs, late, trouble }: SignInBurst, size: number): Finding {
  const patience = `${patienceMs / 1000} s`;
  if (aloneMs === null) return untried(trouble ?? `a single sign-in is not answered within ${patience}`);
  if (late > 0 && aloneMs >= patienceMs) return untried(`a single sign-in takes ${whole(aloneMs)}`);
  if (late > 0) {
    return fault(
      `Of ${size} browsers that signed in at once, ${late} got no answer of Hydra within ${patience}; one alone took ${whole(aloneMs)}. It has too few connections to its database and waits for itself.`,
      'Add max_conns=40&max_idle_conns=40 to the DSN of Hydra, or larger numbers than there are, and restart it. max_connections of PostgreSQL must be enough for it and for Foyer.',
    );
  }
  if (trouble !== null) return untried(trouble);
  return ok(
    `${size} browsers that signed in four times each at once took ${whole(togetherMs)} at Hydra, one sign-in alone ${whole(aloneMs)}.`,
  );
}

const whole = (ms: number): string => `${Math.round(ms)} ms`;

function untried(reason: string): Finding {
  return hint(
    `Several sign-ins at once could not be tried: ${reason}.`,
    'Fix the findings above, or what limits requests in front of Hydra, and run the doctor again.',
  );
}

function remains({ leftBehind }: SignInBurst): Finding[] {
  if (leftBehind === null) return [];
  return [hint(`The client ${leftBehind} could not be deleted again.`, `Run: hydra delete client ${leftBehind}`)];
}
