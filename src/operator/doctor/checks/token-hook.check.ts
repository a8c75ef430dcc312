/**
 * Checks whether Hydra asks the token hook, if there is a key for it: a made-up person, whom Foyer does not know, must get no tokens.
 */
import { walkForTokens, type TokenWalk } from '../../../hydra/inspection/token-walk.js';
import type { Check } from '../check.js';
import { fault, hint, ok, type Finding } from '../finding.js';

export const tokenHookCheck: Check = {
  title: 'Token hook',
  async run(examined) {
    if (examined.config.tokenHook.keys.length === 0) return [];
    const { seen } = await examined.upstream();
    // Faults of Hydra are reported by other checks.
    if (seen.admin.state !== 'as-expected' || seen.public.state !== 'as-expected') return [];
    const walk = await walkForTokens(examined.config.hydra);
    return [await judge(walk, () => examined.isRunning()), ...findLeftBehind(walk)];
  },
};

async function judge({ tokens, trouble }: TokenWalk, isRunning: () => Promise<boolean>): Promise<Finding> {
  switch (tokens) {
    case 'refused':
      return ok('Hydra asks the token hook: a made-up person, whom Foyer does not know, got no tokens.');
    case 'issued':
      return fault(
        'Hydra issues tokens without asking the token hook, although TOKEN_HOOK_KEY is set: people whose access has ended keep tokens that work.',
        'Set oauth2.token_hook in the settings of Hydra, and restart Hydra (docs/token-hook.md).',
      );
    case 'failed':
      if (!(await isRunning()))
        return hint('The token hook answers only while Foyer runs.', 'Start Foyer, then run the doctor again.');
      return fault(
        'Hydra asks a token hook, but gets no answer that it can use: no app gets a token.',
        'Let Hydra reach the port of the operator API by a name in OPERATOR_HOST_NAMES, and give it a key of TOKEN_HOOK_KEY in the header X-Foyer-Hook-Key. If the key is wrong, the log of Foyer says so.',
      );
    case null:
      return hint(
        `It could not be tested whether Hydra asks the token hook: ${trouble ?? 'unknown reason'}.`,
        'Fix the findings above, then run the doctor again.',
      );
  }
}

function findLeftBehind({ leftBehind }: TokenWalk): Finding[] {
  if (leftBehind === null) return [];
  return [hint(`The test client ${leftBehind} could not be deleted.`, `Run: hydra delete client ${leftBehind}`)];
}
