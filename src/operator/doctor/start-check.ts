/**
 * Runs the doctor's checks of Hydra, the user sources and the mail server when a gateway starts. Logs each fault once, and counts
 * the faults in a metric. The start does not wait for the checks, which are repeated until no fault remains.
 */
import type { Logger } from 'pino';
import type { Config } from '../../config/config.js';
import { inspectUpstream } from '../../hydra/inspection/inspect-upstream.js';
import { SmtpSender } from '../../mail/smtp-sender.js';
import type { UserSources } from '../../sources/user-sources.js';
import { INSTRUMENTS } from '../../telemetry/catalogue.js';
import type { Telemetry } from '../../telemetry/telemetry.js';
import { findServerFault } from './checks/mail.check.js';
import { checkReach } from './checks/sources.check.js';
import { checkUpstream } from './checks/upstream.check.js';
import type { Finding } from './finding.js';

const CHECK_NAMES = INSTRUMENTS['foyer.start.faults'].attributes['foyer.check'];
const REPEAT_MS = 60_000;

type CheckName = (typeof CHECK_NAMES)[number];

export interface StartCheckParts {
  config: Pick<Config, 'hydra' | 'sources' | 'mail'>;
  sources: UserSources;
  log: Logger;
  telemetry: Telemetry;
  repeatMs?: number;
}

export class StartCheck {
  readonly #faults = new Map<CheckName, readonly Finding[]>();
  #timer: NodeJS.Timeout | undefined;
  #isStopped = false;

  constructor(private readonly parts: StartCheckParts) {
    parts.telemetry.observe('foyer.start.faults', () =>
      CHECK_NAMES.map((check) => ({ value: this.#faults.get(check)?.length ?? 0, attributes: { 'foyer.check': check } })),
    );
  }

  /** Never throws. */
  async run(): Promise<void> {
    await Promise.all(CHECK_NAMES.map((check) => this.#checkPart(check)));
    const hasFaults = [...this.#faults.values()].some(({ length }) => length > 0);
    if (hasFaults && !this.#isStopped) this.#timer = setTimeout(() => void this.run(), this.parts.repeatMs ?? REPEAT_MS).unref();
  }

  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
  }

  async #checkPart(check: CheckName): Promise<void> {
    const findings = await this.#findFaults(check).catch(() => null);
    if (findings === null || this.#isStopped) return;
    const faults = findings.filter(({ level }) => level === 'fault');
    const previousFaults = this.#faults.get(check) ?? [];
    for (const { what, fix } of faults) {
      if (!previousFaults.some((finding) => finding.what === what)) this.parts.log.warn({ check, fix }, what);
    }
    if (previousFaults.length > 0 && faults.length === 0) this.parts.log.info({ check }, 'all faults of this check are fixed');
    this.#faults.set(check, faults);
  }

  async #findFaults(check: CheckName): Promise<Finding[]> {
    const { config, sources } = this.parts;
    if (check === 'upstream') return checkUpstream(config, await inspectUpstream(config.hydra));
    if (check === 'sources') return checkReach(sources, config.sources);
    const { server, from } = config.mail;
    if (!server) return [];
    const sender = new SmtpSender(server, from);
    try {
      const finding = await findServerFault(server, sender);
      return finding ? [finding] : [];
    } finally {
      await sender.close();
    }
  }
}
