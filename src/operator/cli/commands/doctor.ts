/** Looks at the whole installation from here, with or without a gateway that runs, so it asks for no operator API. */
import { SystemClock } from '../../../config/clock.js';
import type { HealthAnswer } from '../../wire.js';
import { CliFailure, usage } from '../cli-failure.js';
import type { Call, Command } from '../command.js';

export const doctor: Command = {
  name: 'doctor',
  about: 'find what is wrong with this installation, and how to fix it (exit code 1)',
  operands: [],
  options: { 'send-test': { value: 'ADDRESS', about: 'send a mail for trying there; without it none is sent' } },
  async run(call) {
    // Loaded late: the other commands need nothing of it.
    const [{ examine }, { report }] = await Promise.all([import('../../doctor/examine.js'), import('../../doctor/report.js')]);
    const sendTestTo = testAddress(call);
    const diagnosis = await examine({
      env: call.terminal.env,
      clock: new SystemClock(),
      askOperator: () => askOperator(call),
      ...(sendTestTo === undefined ? {} : { sendTestTo }),
    });
    call.print(diagnosis, () => report(diagnosis, call.terminal));
    return diagnosis.status === 'ok';
  },
};

function testAddress({ options }: Call): string | undefined {
  const address = options.text('send-test');
  if (address !== undefined && !/^[^\s@<>",;:]+@[^\s@<>",;:]+$/.test(address))
    throw usage('--send-test takes one e-mail address.');
  return address;
}

async function askOperator(call: Call): Promise<HealthAnswer | { code: string; refusal: string }> {
  try {
    return await call.api.health();
  } catch (error) {
    if (error instanceof CliFailure) return { code: error.code, refusal: error.message };
    throw error;
  }
}
