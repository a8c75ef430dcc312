/** What the checks look at. Each look is taken once, when the first check asks for it, and shared by all of them. */
import type { Clock } from '../../config/clock.js';
import type { Config } from '../../config/config.js';
import { surveyConfig } from '../../config/load-config.js';
import type { Environment } from '../../config/settings-read.js';
import { inspectDatabase } from '../../database/inspection/inspect-database.js';
import type { DatabaseInspection } from '../../database/inspection/inspect-database.js';
import { inspectUpstream } from '../../hydra/inspection/inspect-upstream.js';
import type { UpstreamInspection } from '../../hydra/inspection/inspect-upstream.js';
import { RequestWalker } from '../../hydra/inspection/request-walk.js';
import type { RequestWalk } from '../../hydra/inspection/request-walk.js';
import type { HealthAnswer } from '../wire.js';
import { inspectFront } from './front.js';
import type { FrontInspection } from './front.js';

export interface ExaminationParts {
  env: Environment;
  clock: Clock;
  /** Asks the operator API of the gateway that runs; `code` is the API's own where it has one. */
  askOperator: () => Promise<HealthAnswer | { code: string; refusal: string }>;
  /** Where a mail for trying goes; nothing is sent without. */
  sendTestTo?: string;
}

/** A look, and this machine's time at its end. */
export interface Timed<T> {
  seen: T;
  at: Date;
}

export class Examination {
  readonly config: Config;
  readonly faults: readonly string[];
  readonly warnings: readonly string[];
  readonly #looks = new Map<string, Promise<unknown>>();

  constructor(readonly parts: ExaminationParts) {
    // The CLI's own, and no setting of the gateway.
    const { config, faults, warnings } = surveyConfig(
      Object.fromEntries(Object.entries(parts.env).filter(([name]) => name !== 'OPERATOR_URL')),
    );
    this.config = config;
    this.faults = faults;
    this.warnings = warnings;
  }

  upstream(): Promise<Timed<UpstreamInspection>> {
    return this.#once('upstream', () => this.#timed(() => inspectUpstream(this.config.hydra)));
  }

  database(): Promise<Timed<DatabaseInspection>> {
    return this.#once('database', () => this.#timed(() => inspectDatabase(this.config.database)));
  }

  front(): Promise<Timed<FrontInspection>> {
    return this.#once('front', () => this.#timed(() => inspectFront(this.config)));
  }

  /** @returns null where there is no upstream to walk at */
  walk(): Promise<RequestWalk | null> {
    return this.#once('walk', async () => {
      const { seen } = await this.upstream();
      const isThere = seen.admin.state === 'as-expected' && seen.public.state === 'as-expected';
      return isThere ? new RequestWalker(this.config.hydra).walk() : null;
    });
  }

  async isRunning(): Promise<boolean> {
    const { seen } = await this.front();
    return seen.listener.state === 'foyer' || seen.people.state === 'foyer';
  }

  async #timed<T>(look: () => Promise<T>): Promise<Timed<T>> {
    const seen = await look();
    return { seen, at: this.parts.clock.now() };
  }

  #once<T>(name: string, look: () => Promise<T>): Promise<T> {
    const known = this.#looks.get(name) as Promise<T> | undefined;
    const begun = known ?? look();
    this.#looks.set(name, begun);
    return begun;
  }
}
