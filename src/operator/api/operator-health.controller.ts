import { Controller, Get, Inject } from '@nestjs/common';
import { READINESS_PROBES } from '../../gateway/http/health.controller.js';
import type { ReadinessProbe } from '../../gateway/http/health.controller.js';
import { Rights } from './rights.guard.js';
import { OPERATOR_API } from '../wire.js';
import type { HealthAnswer } from '../wire.js';

/** State of the dependencies, for people. Always 200, because the API answers; probes use the gateway. */
@Controller(`${OPERATOR_API}/health`)
export class OperatorHealthController {
  constructor(@Inject(READINESS_PROBES) private readonly probes: readonly ReadinessProbe[]) {}

  /** Says whether Foyer, its database and the OAuth server answer. */
  @Get()
  @Rights('read')
  async health(): Promise<HealthAnswer> {
    const parts = await Promise.all(
      this.probes.map(async ({ name, isReady }) => [name, (await isReady()) ? 'ok' : 'unavailable'] as const),
    );
    const isOk = parts.every(([, state]) => state === 'ok');
    return { status: isOk ? 'ok' : 'unavailable', parts: Object.fromEntries(parts) };
  }
}
