/**
 * Checks whether the configured user sources and providers can be used. A result is reused for some seconds, so that pages that are opened
 * often do not query a directory each time, and only one check runs at a time.
 */
import { Inject, Injectable } from '@nestjs/common';
import { Clock } from '../../config/clock.js';
import type { Config } from '../../config/config.js';
import { CONFIG } from '../../config/config.token.js';
import { randomToken } from '../../config/keys.js';
import { IdentityProviders, buildCallbackUrl } from '../../providers/identity-providers.port.js';
import { UserSources } from '../../sources/user-sources.js';
import { checkReach } from '../doctor/checks/sources.check.js';
import { fault, ok, type Finding, type Level } from '../doctor/finding.js';
import { ScimStates } from './scim-states.js';
import type { SourceStateAnswer, SourceStatesAnswer } from '../wire-installation.js';
import { waitAtMost } from '../../config/wait-at-most.js';

/** The time limit for the check of one source. */
const MAX_WAIT_MS = 10_000;
/** The time for which a result is reused. */
const FRESH_MS = 15_000;
/** The time for which the page "Today" waits for a check. */
const TODAY_MS = 2000;
/** The time for which the page "Today" reuses a result. */
const TODAY_FRESH_MS = 60_000;

@Injectable()
export class SourceStates {
  #lastCheck: { result: SourceStatesAnswer; atMs: number } | undefined;
  #currentCheck: Promise<SourceStatesAnswer> | undefined;

  constructor(
    private readonly sources: UserSources,
    private readonly providers: IdentityProviders,
    private readonly scim: ScimStates,
    private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Pick<Config, 'sources' | 'publicUrl'>,
  ) {}

  /** @throws an error of the database, which is read only if a SCIM source is configured */
  list(freshMs = FRESH_MS): Promise<SourceStatesAnswer> {
    const lastCheck = this.#lastCheck;
    if (lastCheck && performance.now() - lastCheck.atMs < freshMs) return Promise.resolve(lastCheck.result);
    return (this.#currentCheck ??= this.#checkAll().finally(() => (this.#currentCheck = undefined)));
  }

  /**
   * @returns the ids of the sources and providers that cannot be used; if a check takes more than two seconds, those of the previous check,
   * or none without one
   */
  async findFaultySources(): Promise<string[]> {
    const result = await waitAtMost(this.list(TODAY_FRESH_MS), TODAY_MS, this.#lastCheck?.result ?? null);
    return (result?.sources ?? []).flatMap(({ id, state }) => (state === 'fault' ? [id] : []));
  }

  /** @returns the number of refused requests of SCIM sources, capped at 1001, and the names of the sources */
  findRefusedRequests(): Promise<{ count: number; names: string[] }> {
    return this.scim.findRefusedRequests();
  }

  async #checkAll(): Promise<SourceStatesAnswer> {
    const sources = await Promise.all([
      ...this.sources.list.map(({ id, name }) => this.#checkSource(id, name)),
      ...this.providers.list().map(({ id, name }) => this.#checkProvider(id, name)),
    ]);
    sources.push(...(await this.scim.list()));
    const result = { checked_at: this.clock.now().toISOString(), sources };
    this.#lastCheck = { result, atMs: performance.now() };
    return result;
  }

  async #checkSource(id: string, name: string): Promise<SourceStateAnswer> {
    const settings = this.config.sources.filter((source) => source.id === id);
    const timeoutFault = fault(`The source ${id} did not answer in time.`, `Check the servers of "${id}" in USER_SOURCES.`);
    const work = checkReach(this.sources, settings).catch((error: unknown) => [toDefect(id, error)]);
    const findings = await waitAtMost(work, MAX_WAIT_MS, [timeoutFault]);
    return { id, name, type: settings[0]?.type ?? 'ldap', state: toState(findings), findings, scim: null };
  }

  /** Begins a sign-in, which requires the metadata of an OpenID provider, and does not continue it. */
  async #checkProvider(id: string, name: string): Promise<SourceStateAnswer> {
    const redirectUri = buildCallbackUrl(this.config.publicUrl, id);
    const fix = 'Allow the gateways to reach the provider, or correct its issuer in the settings.';
    const work = this.providers.begin({ provider: id, redirectUri, state: randomToken() }).then(
      () => ok(`A sign-in at ${name} can begin.`),
      (error: unknown) => fault(`A sign-in at ${name} cannot begin (${toReason(error)}).`, fix),
    );
    const timeoutFault = fault(`${name} did not answer in time.`, fix);
    const findings = [await waitAtMost(work, MAX_WAIT_MS, timeoutFault)];
    return { id, name, type: 'provider', state: toState(findings), findings, scim: null };
  }
}

const LEVELS: readonly Level[] = ['fault', 'hint', 'ok'];

function toState(findings: readonly Finding[]): Level {
  return LEVELS.find((level) => findings.some((finding) => finding.level === level)) ?? 'ok';
}

/** The messages of the adapters contain no part of an answer. */
const toReason = (error: unknown): string => (error instanceof Error ? error.message : 'unknown reason');

function toDefect(id: string, error: unknown): Finding {
  const name = error instanceof Error ? error.name : typeof error;
  return fault(`The source ${id} could not be checked (${name}).`, 'This is a defect in Foyer: please report it.');
}
