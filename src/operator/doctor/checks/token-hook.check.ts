/**
 * Checks whether Hydra calls the token hook, if a key is configured: a made-up person without an account must receive no tokens.
 */
import { walkForTokens, type TokenWalk } from '../../../hydra/inspection/token-walk.js';
import type { Check } from '../check.js';
import { fault, hint, ok, type Finding } from '../finding.js';

export const tokenHookCheck: Check = {
  title: 'Token hook',
  async run(examination) {
    if (examination.config.tokenHook.keys.length === 0) return [];
    const { inspection } = await examination.upstream();
    // Faults of Hydra are reported by other checks.
    if (inspection.admin.state !== 'as-expected' || inspection.public.state !== 'as-expected') return [];
    const walk = await walkForTokens(examination.config.hydra);
    return [await judge(walk, () => examination.isRunning()), ...findLeftBehind(walk)];
  },
};

async function judge({ tokens, trouble }: TokenWalk, isRunning: () => Promise<boolean>): Promise<Finding> {
  switch (tokens) {
    case 'refused':
      return ok('Hydra calls the token hook: a made-up person without an account received no tokens.');
    case 'issued':
      return fault(
        'Hydra issues tokens without calling the token hook, although TOKEN_HOOK_KEY is set: people whose access has ended keep tokens that work.',
        'Set oauth2.token_hook in the settings of Hydra, and restart Hydra (docs/token-hook.md).',
      );
    case 'failed':
      if (!(await isRunning()))
        return hint('The token hook answers only while Foyer runs.', 'Start Foyer, then run the doctor again.');
      return fault(
        'Hydra calls a token hook, but receives no usable answer: no app receives a token.',
        'Make the port of the operator API reachable for Hydra by a name in OPERATOR_HOST_NAMES, and configure Hydra to send a key of TOKEN_HOOK_KEY in the header X-Foyer-Hook-Key. The log of Foyer reports a wrong key.',
      );
    case null:
      return hint(
        `It could not be tested whether Hydra calls the token hook: ${trouble ?? 'unknown reason'}.`,
        'Fix the findings above, then run the doctor again.',
      );
  }
}

function findLeftBehind({ leftBehind }: TokenWalk): Finding[] {
  if (leftBehind === null) return [];
  return [hint(`The test client ${leftBehind} could not be deleted.`, `Run: hydra delete client ${leftBehind}`)];
}
