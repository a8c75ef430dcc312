/** Inspects the parts of an installation. Each part is inspected once, when a check first needs it; all checks share the result. */
import type { Attributes } from '../../accounts/account/account.js';
import { AccountAttributes } from '../../accounts/attributes/account-attributes.js';
import { ReservedUsernames } from '../../accounts/account/reserved-usernames.js';
import type { Clock } from '../../config/clock.js';
import type { Config } from '../../config/config.js';
import { findKeptSecrets } from '../../config/installation-secrets.js';
import { surveyConfig } from '../../config/load-config.js';
import type { Environment } from '../../config/settings-read.js';
import { inspectDatabase, type DatabaseInspection, type Rules } from '../../database/inspection/inspect-database.js';
import { inspectDeviceAuthorization, type DeviceInspection } from '../../hydra/inspection/inspect-device-authorization.js';
import { UpstreamError } from '../../hydra/hydra.errors.js';
import { inspectUpstream, type UpstreamInspection } from '../../hydra/inspection/inspect-upstream.js';
import { listRegisteredClients, type RegisteredClient } from '../../hydra/inspection/registered-clients.js';
import { AuthorizationInspector, type AuthorizationInspection } from '../../hydra/inspection/inspect-authorization.js';
import type { HealthAnswer } from '../wire.js';
import { inspectGateway, type GatewayInspection } from './gateway-probe.js';

export interface ExaminationParts {
  env: Environment;
  clock: Clock;
  /** Requests the health of the running gateway from its operator API; after a failure, returns code and message of the `CliFailure`. */
  requestHealth: () => Promise<HealthAnswer | { code: string; explanation: string }>;
  /** Recipient of a test mail; if absent, no mail is sent. */
  sendTestTo?: string;
  /** Number of sign-ins to test at Hydra at the same time; if absent, concurrent sign-ins are not tested. */
  burst?: number;
  /** Time limit of each check; if absent, a check has only the time limits of its own calls. */
  checkTimeoutMs?: number;
}

/** The result of an inspection, and the times of this machine between which it was made. */
export interface TimedResult<Inspection> {
  inspection: Inspection;
  startedAt: Date;
  endedAt: Date;
}

export class Examination {
  readonly config: Config;
  readonly faults: readonly string[];
  readonly warnings: readonly string[];
  readonly reservedUsernames: ReservedUsernames;
  readonly #inspections = new Map<string, Promise<unknown>>();

  constructor(readonly parts: ExaminationParts) {
    // OPERATOR_URL is a setting of the command line, which the gateway would report as unknown.
    const { config, faults, warnings } = surveyConfig(
      Object.fromEntries(Object.entries(parts.env).filter(([name]) => name !== 'OPERATOR_URL')),
    );
    this.config = { ...config, secrets: findKeptSecrets(config) };
    this.faults = faults;
    this.warnings = warnings;
    this.reservedUsernames = new ReservedUsernames(config.accounts.reservedUsernames);
  }

  upstream(): Promise<TimedResult<UpstreamInspection>> {
    return this.#inspectOnce('upstream', () => this.#inspectTimed(() => inspectUpstream(this.config.hydra)));
  }

  database(): Promise<TimedResult<DatabaseInspection>> {
    return this.#inspectOnce('database', () =>
      this.#inspectTimed(() => inspectDatabase(this.config.database, this.#buildRules())),
    );
  }

  #buildRules(): Rules {
    const attributes = new AccountAttributes(this.config);
    return {
      reservedSkeletons: this.reservedUsernames.skeletons,
      fits: (stored) => attributes.fits(stored as Attributes),
    };
  }

  gateway(): Promise<TimedResult<GatewayInspection>> {
    return this.#inspectOnce('gateway', () => this.#inspectTimed(() => inspectGateway(this.config)));
  }

  /** Follows a sign-in at Hydra. @returns null unless both addresses of Hydra answer as expected */
  authorization(): Promise<AuthorizationInspection | null> {
    return this.#inspectOnce('authorization', async () => {
      const { inspection } = await this.upstream();
      const isHydraUp = inspection.admin.state === 'as-expected' && inspection.public.state === 'as-expected';
      return isHydraUp ? new AuthorizationInspector(this.config.hydra).inspect() : null;
    });
  }

  /** @returns the first 10,000 clients at Hydra, or null if Hydra does not list them */
  clients(): Promise<RegisteredClient[] | null> {
    return this.#inspectOnce('clients', () =>
      listRegisteredClients(this.config.hydra).catch((error: unknown) => {
        if (error instanceof UpstreamError) return null;
        throw error;
      }),
    );
  }

  /** Follows a device request. Requires a Hydra that has device authorization. */
  deviceAuthorization(): Promise<DeviceInspection> {
    return this.#inspectOnce('device', () => inspectDeviceAuthorization(this.config.hydra));
  }

  async isRunning(): Promise<boolean> {
    const { inspection } = await this.gateway();
    return inspection.listener.state === 'foyer' || inspection.publicProbe.state === 'foyer';
  }

  async #inspectTimed<Inspection>(inspect: () => Promise<Inspection>): Promise<TimedResult<Inspection>> {
    const startedAt = this.parts.clock.now();
    const inspection = await inspect();
    return { inspection, startedAt, endedAt: this.parts.clock.now() };
  }

  #inspectOnce<Inspection>(name: string, inspect: () => Promise<Inspection>): Promise<Inspection> {
    const earlierInspection = this.#inspections.get(name) as Promise<Inspection> | undefined;
    const inspection = earlierInspection ?? inspect();
    this.#inspections.set(name, inspection);
    return inspection;
  }
}
