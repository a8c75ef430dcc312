/** Checks the whole installation. Without --at-gateway, the command also works without a gateway, and thus without the operator API. */
import { SystemClock } from '../../../config/clock.js';
import { defined } from '../../../config/defined.js';
import type { HealthAnswer } from '../../wire.js';
import { CliFailure, buildUsageFailure } from '../cli-failure.js';
import type { formatReport as FormatReport } from '../../doctor/report.js';
import type { Call, Command } from '../command.js';

export const doctor: Command = {
  name: 'doctor',
  about: 'check this installation, and show how to fix faults; exit code 1 if there are any',
  operands: [],
  options: {
    'send-test': { value: 'ADDRESS', about: 'send a test mail to this address; default: no mail is sent' },
    'at-gateway': { about: 'run the checks in the running gateway, with its environment' },
    burst: {
      value: 'N',
      fallback: '16',
      about:
        'test this many concurrent sign-ins at Hydra (2 to 64; --burst alone: 16); other sign-ins may take seconds meanwhile',
    },
  },
  async run(call) {
    // Loaded only here, so that other commands start faster.
    const [{ examine }, { formatReport }] = await Promise.all([
      import('../../doctor/examine.js'),
      import('../../doctor/report.js'),
    ]);
    const [sendTestTo, burst] = [findTestAddress(call), findBurstSize(call)];
    if (call.options.has('at-gateway')) return runAtGateway(call, formatReport);
    const diagnosis = await examine({
      env: call.terminal.env,
      clock: new SystemClock(),
      requestHealth: () => requestHealth(call),
      ...defined({ sendTestTo, burst }),
    });
    call.print(diagnosis, () => formatReport(diagnosis, call.terminal));
    return diagnosis.status === 'ok';
  },
};

async function runAtGateway(call: Call, formatReport: typeof FormatReport): Promise<boolean> {
  if (call.options.has('send-test') || call.options.has('burst'))
    throw buildUsageFailure('--at-gateway cannot be used together with --send-test or --burst.');
  const diagnosis = await call.api.runDoctor();
  call.print(diagnosis, () => formatReport(diagnosis, call.terminal));
  return diagnosis.status === 'ok';
}

function findTestAddress({ options }: Call): string | undefined {
  const address = options.text('send-test');
  if (address !== undefined && !/^[^\s@<>",;:]+@[^\s@<>",;:]+$/.test(address))
    throw buildUsageFailure('--send-test requires one e-mail address.');
  return address;
}

function findBurstSize({ options }: Call): number | undefined {
  const size = options.text('burst');
  if (size === undefined) return undefined;
  if (!/^\d{1,2}$/.test(size) || Number(size) < 2 || Number(size) > 64)
    throw buildUsageFailure('--burst requires a number from 2 to 64.');
  return Number(size);
}

async function requestHealth(call: Call): Promise<HealthAnswer | { code: string; explanation: string }> {
  try {
    return await call.api.getHealth();
  } catch (error) {
    if (error instanceof CliFailure) return { code: error.code, explanation: error.message };
    throw error;
  }
}
