/**
 * Probes. `live`: the process answers. `ready`: it can serve requests and is not shutting down. A part that all gateways
 * share and that pages can do without (Hydra) counts until it has answered once, so that a gateway with a wrong address
 * never becomes ready; from then on its outage is told and no gateway leaves the balancer: mailed links and the account
 * area go on, and sign-ins get a page that says what is wrong.
 */
import { Controller, Get, Inject, Injectable, Res } from '@nestjs/common';
import type { Response } from 'express';
import { SERVER_PATHS } from '../../contract/paths.js';
import { Public } from '../security/access.guard.js';
import { Lifecycle } from './lifecycle.js';

export interface ReadinessProbe {
  name: string;
  /** Whether a gateway goes on without it, once it has answered. */
  isShared?: true;
  /** Never throws. */
  isReady(): Promise<boolean>;
}

/** Requested every few seconds: measured, never traced, and logged only on failure. */
export const PROBES: readonly string[] = [SERVER_PATHS.healthLive, SERVER_PATHS.healthReady];

export const READINESS_PROBES = Symbol('ReadinessProbes');

export interface ReadyState {
  isReady: boolean;
  isDraining: boolean;
  parts: Record<string, 'ok' | 'unavailable'>;
}

@Injectable()
export class Readiness {
  /** Shared parts that have answered this process. */
  readonly #seen = new Set<string>();

  constructor(
    @Inject(READINESS_PROBES) private readonly probes: readonly ReadinessProbe[],
    private readonly lifecycle: Lifecycle,
  ) {}

  async state(): Promise<ReadyState> {
    const answers = await Promise.all(this.probes.map(async (probe) => ({ ...probe, isThere: await probe.isReady() })));
    for (const { name, isThere } of answers) if (isThere) this.#seen.add(name);
    const isServing = answers.every(({ name, isShared, isThere }) => isThere || (isShared && this.#seen.has(name)));
    const { isDraining } = this.lifecycle;
    const parts = answers.map(({ name, isThere }) => [name, isThere ? 'ok' : 'unavailable'] as const);
    return { isReady: isServing && !isDraining, isDraining, parts: Object.fromEntries(parts) };
  }
}

@Public()
@Controller()
export class HealthController {
  constructor(private readonly readiness: Readiness) {}

  @Get(SERVER_PATHS.healthLive)
  live(): { status: 'ok' } {
    return { status: 'ok' };
  }

  @Get(SERVER_PATHS.healthReady)
  async ready(@Res({ passthrough: true }) response: Response): Promise<Record<string, string>> {
    const { isReady, isDraining, parts } = await this.readiness.state();
    response.status(isReady ? 200 : 503);
    const status = !isReady ? 'unavailable' : Object.values(parts).every((part) => part === 'ok') ? 'ok' : 'degraded';
    return { status, ...parts, ...(isDraining ? { gateway: 'draining' } : {}) };
  }
}
