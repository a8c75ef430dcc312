/** Probes. `live`: the process answers. `ready`: its dependencies answer too, and it is not shutting down. */
import { Controller, Get, Inject, Res } from '@nestjs/common';
import type { Response } from 'express';
import { PATHS } from '../../contract/paths.js';
import { Public } from '../security/access.guard.js';
import { Lifecycle } from './lifecycle.js';

export interface ReadinessProbe {
  name: string;
  /** Never throws. */
  isReady(): Promise<boolean>;
}

/** Requested every few seconds: measured, never traced, and logged only on failure. */
export const PROBES: readonly string[] = [PATHS.healthLive, PATHS.healthReady];

export const READINESS_PROBES = Symbol('ReadinessProbes');

@Public()
@Controller()
export class HealthController {
  constructor(
    @Inject(READINESS_PROBES) private readonly probes: readonly ReadinessProbe[],
    private readonly lifecycle: Lifecycle,
  ) {}

  @Get(PATHS.healthLive)
  live(): { status: 'ok' } {
    return { status: 'ok' };
  }

  @Get(PATHS.healthReady)
  async ready(@Res({ passthrough: true }) response: Response): Promise<Record<string, string>> {
    const answers = await Promise.all(this.probes.map(async ({ name, isReady }) => [name, await isReady()] as const));
    const isReady = !this.lifecycle.isDraining && answers.every(([, ready]) => ready);
    response.status(isReady ? 200 : 503);
    const parts = Object.fromEntries(answers.map(([name, ready]) => [name, ready ? 'ok' : 'unavailable']));
    return { status: isReady ? 'ok' : 'unavailable', ...parts, ...(this.lifecycle.isDraining ? { gateway: 'draining' } : {}) };
  }
}
