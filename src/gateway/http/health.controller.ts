/**
 * Probes. `live`: the process answers. `ready`: it can serve requests and is not shutting down. A part that all gateways
 * share and that pages can do without (Hydra) counts until it has answered once, so that a gateway with a wrong address
 * never becomes ready; from then on its outage is told and no gateway leaves the balancer: mailed links and the account
 * area go on, and sign-ins get a page that says what is wrong. A shared part that is silent delays no answer: a probe of
 * a balancer has a time limit of its own, and all gateways would miss it at once.
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

/** A shared part that says nothing for so long is not there. */
const SHARED_PROBE_MS = 1000;
/** An answer waits so long for the result of the running probe, then it takes the last known one. */
const FRESH_RESULT_MS = 200;

@Injectable()
export class Readiness {
  readonly #parts: readonly (ReadinessProbe | SharedPart)[];

  constructor(
    @Inject(READINESS_PROBES) probes: readonly ReadinessProbe[],
    private readonly lifecycle: Lifecycle,
  ) {
    this.#parts = probes.map((probe) => (probe.isShared ? new SharedPart(probe) : probe));
  }

  async state(): Promise<ReadyState> {
    const answers = await this.parts();
    const isServing = this.#parts.every((part) => answers[part.name] || (part instanceof SharedPart && part.hasAnswered));
    const { isDraining } = this.lifecycle;
    const parts = Object.entries(answers).map(([name, isThere]) => [name, isThere ? 'ok' : 'unavailable'] as const);
    return { isReady: isServing && !isDraining, isDraining, parts: Object.fromEntries(parts) };
  }

  /** Whether each part answers. */
  async parts(): Promise<Record<string, boolean>> {
    const answers = this.#parts.map(async (part) => [part.name, await part.isReady()] as const);
    return Object.fromEntries(await Promise.all(answers));
  }
}

/** Probes a shared part one probe at a time, and knows its last result. */
class SharedPart {
  /** Whether the part has answered this process. */
  hasAnswered = false;
  #last: boolean | undefined;
  #running: Promise<boolean> | undefined;

  constructor(private readonly probe: ReadinessProbe) {}

  get name(): string {
    return this.probe.name;
  }

  isReady(): Promise<boolean> {
    this.#running ??= this.#run();
    return this.#last === undefined ? this.#running : withinTime(this.#running, FRESH_RESULT_MS, this.#last);
  }

  async #run(): Promise<boolean> {
    const isThere = await withinTime(this.probe.isReady(), SHARED_PROBE_MS, false);
    this.#running = undefined;
    this.#last = isThere;
    this.hasAnswered ||= isThere;
    return isThere;
  }
}

async function withinTime<T>(work: Promise<T>, milliseconds: number, otherwise: T): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<T>((resolve) => (timer = setTimeout(() => resolve(otherwise), milliseconds)));
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
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
