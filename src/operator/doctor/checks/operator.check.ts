/** The operator API of the gateway that runs: whether it takes this token, and how the gateway itself sees its parts. */
import type { HealthAnswer } from '../../wire.js';
import type { Check } from '../check.js';
import { fault, hint, ok } from '../finding.js';
import type { Finding } from '../finding.js';

export const operatorCheck: Check = {
  title: 'Operator API',
  async run({ parts }) {
    const answer = await parts.askOperator();
    if ('refusal' in answer) return [refused(answer)];
    return viewOf(answer);
  },
};

function refused({ code, refusal }: { code: string; refusal: string }): Finding {
  if (code === 'unauthorized') return fault('The operator API that runs takes another token than this one.', refusal);
  return hint(`The gateway's own view was not asked for. ${refusal}`, 'Run the doctor where the operator API can be reached.');
}

function viewOf({ parts }: HealthAnswer): Finding[] {
  const away = Object.entries(parts).filter(([, state]) => state !== 'ok');
  if (away.length === 0) return [ok(`The gateway that runs reaches ${Object.keys(parts).join(' and ')}.`)];
  return away.map(([name]) =>
    fault(
      `The gateway that runs does not reach its part "${name}".`,
      'If it answers here, the gateway has other settings, or another network between.',
    ),
  );
}
