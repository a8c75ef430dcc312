/** Checks whether the operator API of the running gateway accepts the token, and what the gateway reports about its parts. */
import type { HealthAnswer } from '../../wire.js';
import type { Check } from '../check.js';
import { fault, hint, ok, type Finding } from '../finding.js';

export const operatorCheck: Check = {
  title: 'Operator API',
  async run({ parts }) {
    const answer = await parts.requestHealth();
    if ('refusal' in answer) return [explainRefusal(answer)];
    return toFindings(answer);
  },
};

function explainRefusal({ code, refusal }: { code: string; refusal: string }): Finding {
  if (code === 'unauthorized') return fault('The running operator API uses a different token.', refusal);
  return hint(
    `The health of the gateway could not be read. ${refusal}`,
    'Run the doctor on a machine that reaches the operator API.',
  );
}

function toFindings({ parts }: HealthAnswer): Finding[] {
  const failing = Object.entries(parts).filter(([, state]) => state !== 'ok');
  if (failing.length === 0) return [ok(`All parts of the running gateway are ok: ${Object.keys(parts).join(', ')}.`)];
  return failing.map(([name]) =>
    fault(
      `The running gateway reports that its part "${name}" is unavailable.`,
      'If the doctor finds no fault of this part, the gateway has different settings or another network path.',
    ),
  );
}
