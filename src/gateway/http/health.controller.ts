/**
 * Probes. `live`: the process answers. `ready`: the process can serve requests and is not shutting down.
 *
 * A part that all gateways share and that not every page needs (Hydra) must have answered once, so that a gateway with a wrong
 * address never becomes ready. From then on an outage of the part is reported but takes no gateway out of the load balancer:
 * mailed links and the account area still work, and sign-ins get a page that explains what is wrong. A shared part that does not
 * answer delays the probe only briefly: the balancer has a time limit, which all gateways would exceed together.
 */
import { Controller, Get, Inject, Injectable, Res } from '@nestjs/common';
import type { Response } from 'express';
import { SERVER_PATHS } from '../../contract/paths.js';
import { Public } from '../security/access.guard.js';
import { Lifecycle } from './lifecycle.js';
import { waitAtMost } from '../../config/wait-at-most.js';

export interface ReadinessProbe {
  name: string;
  /** All gateways share the part, and not every page needs it: once it has answered, a gateway stays ready without it. */
  isOptional?: true;
  /** Never rejects. */
  isReady(): Promise<boolean>;
}

/** These paths are requested every few seconds, so they are never traced, and are logged at the level `debug` unless they fail. */
export const PROBES: readonly string[] = [SERVER_PATHS.healthLive, SERVER_PATHS.healthReady];

export const READINESS_PROBES = Symbol('ReadinessProbes');

export interface ReadyState {
  isReady: boolean;
  isDraining: boolean;
  parts: Record<string, 'ok' | 'unavailable'>;
}

/** An optional part that does not answer within this time is unavailable. */
const OPTIONAL_PROBE_MS = 1000;
/** How long an answer waits for the running probe before it uses the last known result. */
const FRESH_RESULT_MS = 200;

@Injectable()
export class Readiness {
  optionalProbeMs = OPTIONAL_PROBE_MS;
  readonly #parts: readonly (ReadinessProbe | OptionalPart)[];

  constructor(
    @Inject(READINESS_PROBES) probes: readonly ReadinessProbe[],
    private readonly lifecycle: Lifecycle,
  ) {
    this.#parts = probes.map((probe) => (probe.isOptional ? new OptionalPart(probe, () => this.optionalProbeMs) : probe));
  }

  async state(): Promise<ReadyState> {
    const answers = await this.parts();
    const isServing = this.#parts.every((part) => answers[part.name] || (part instanceof OptionalPart && part.hasAnswered));
    const { isDraining } = this.lifecycle;
    const parts = Object.entries(answers).map(([name, isReady]) => [name, isReady ? 'ok' : 'unavailable'] as const);
    return { isReady: isServing && !isDraining, isDraining, parts: Object.fromEntries(parts) };
  }

  /** Whether each part answers. */
  async parts(): Promise<Record<string, boolean>> {
    const answers = this.#parts.map(async (part) => [part.name, await part.isReady()] as const);
    return Object.fromEntries(await Promise.all(answers));
  }
}

/** Runs one probe of an optional part at a time, and stores the last result. */
class OptionalPart {
  /** Whether the part has answered this process. */
  hasAnswered = false;
  #lastResult: boolean | undefined;
  #runningProbe: Promise<boolean> | undefined;

  constructor(
    private readonly probe: ReadinessProbe,
    private readonly probeMs: () => number,
  ) {}

  get name(): string {
    return this.probe.name;
  }

  isReady(): Promise<boolean> {
    this.#runningProbe ??= this.#run();
    return this.#lastResult === undefined
      ? this.#runningProbe
      : waitAtMost(this.#runningProbe, FRESH_RESULT_MS, this.#lastResult);
  }

  async #run(): Promise<boolean> {
    const isReady = await waitAtMost(this.probe.isReady(), this.probeMs(), false);
    this.#runningProbe = undefined;
    this.#lastResult = isReady;
    this.hasAnswered ||= isReady;
    return isReady;
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
