/** Checks whether the operator API of the running gateway accepts the token, and what the gateway reports about its parts. */
import type { HealthAnswer } from '../../wire.js';
import type { Check } from '../check.js';
import { fault, hint, ok, type Finding } from '../finding.js';

export const operatorCheck: Check = {
  title: 'Operator API',
  async run({ parts }) {
    const answer = await parts.requestHealth();
    if ('explanation' in answer) return [explainFailure(answer)];
    return toFindings(answer);
  },
};

function explainFailure({ code, explanation }: { code: string; explanation: string }): Finding {
  if (code === 'unauthorized') return fault('The running operator API uses a different token.', explanation);
  return hint(
    `The health of the gateway could not be read. ${explanation}`,
    'Run the doctor on a machine that reaches the operator API.',
  );
}

function toFindings({ parts }: HealthAnswer): Finding[] {
  const failingParts = Object.entries(parts).filter(([, state]) => state !== 'ok');
  if (failingParts.length === 0) return [ok(`All parts of the running gateway are ok: ${Object.keys(parts).join(', ')}.`)];
  return failingParts.map(([name]) =>
    fault(
      `The running gateway reports that its part "${name}" is unavailable.`,
      'If the doctor finds no fault of this part, the gateway has different settings or another network path.',
    ),
  );
}
