import { Controller, Get } from '@nestjs/common';
import { Readiness, type ReadyState } from '../../gateway/http/health.controller.js';
import { Operation } from './rights.guard.js';
import { OPERATOR_API, type HealthAnswer } from '../wire.js';

/** Shows people the state of the systems that Foyer needs. Answers 200 also if one of them is unavailable; probes use the gateway. */
@Controller(`${OPERATOR_API}/health`)
export class OperatorHealthController {
  constructor(private readonly readiness: Readiness) {}

  /** Shows whether Foyer accepts requests, and the state of its database, its clock and Hydra. */
  @Get()
  @Operation('operatorHealth.health')
  async health(): Promise<HealthAnswer> {
    return toHealthAnswer(await this.readiness.state());
  }
}

export function toHealthAnswer({ isReady: ready, parts }: Pick<ReadyState, 'isReady' | 'parts'>): HealthAnswer {
  const isOk = Object.values(parts).every((part) => part === 'ok');
  return { status: isOk ? 'ok' : 'unavailable', ready, parts };
}
