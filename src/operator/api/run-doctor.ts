/** Runs the checks of the doctor in the process of the gateway, one run at a time. */
import { Inject, Injectable } from '@nestjs/common';
import { Clock } from '../../config/clock.js';
import { ENVIRONMENT } from '../../config/environment.js';
import type { Environment } from '../../config/settings-read.js';
import { Readiness } from '../../gateway/http/health.controller.js';
import type { Diagnosis } from '../doctor/examine.js';
import { OperatorFault } from './operator-fault.js';
import { toHealthAnswer } from './operator-health.controller.js';

/** The time limit of each check. The checks run at the same time. */
const CHECK_TIMEOUT_MS = 30_000;

@Injectable()
export class RunDoctor {
  #isRunning = false;

  constructor(
    private readonly readiness: Readiness,
    private readonly clock: Clock,
    @Inject(ENVIRONMENT) private readonly env: Environment,
  ) {}

  /** @throws OperatorFault 409 during another run */
  async run(): Promise<Diagnosis> {
    if (this.#isRunning) throw new OperatorFault(409, 'doctor_running', 'The doctor is already running: wait for its result.');
    this.#isRunning = true;
    try {
      // The doctor is loaded only here, because most gateways never need it.
      const { examine } = await import('../doctor/examine.js');
      return await examine({
        env: this.env,
        clock: this.clock,
        checkTimeoutMs: CHECK_TIMEOUT_MS,
        requestHealth: async () => toHealthAnswer(await this.readiness.state()),
      });
    } finally {
      this.#isRunning = false;
    }
  }
}
