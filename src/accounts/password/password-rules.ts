/** Decides which new passwords are accepted, by the rules of the settings and the list of breached passwords (`BREACHED_LIST`). */
import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import { Clock } from '../../config/clock.js';
import { ConfigError, type Config } from '../../config/config.js';
import { CONFIG } from '../../config/config.token.js';
import { LOG } from '../../config/log.token.js';
import type { PasswordFault } from '../../contract/manage-state.js';
import type { Account } from '../account/account.js';
import { hasPasswordHere } from '../../config/stored-sources.js';
import { BreachedList, BreachedListUnusable } from './breached-list.js';
import { checkPassword, findMinLength } from './policy.js';

@Injectable()
export class PasswordRules {
  readonly #breachedList: BreachedList | null;

  /** The list stays open until the process ends. @throws ConfigError if it cannot be used */
  constructor(
    @Inject(CONFIG) private readonly config: Pick<Config, 'password' | 'app' | 'mfa' | 'scim'>,
    @Inject(LOG) private readonly log: Logger,
    private readonly clock: Clock,
  ) {
    const { breachedList: path } = config.password;
    this.#breachedList = path === undefined ? null : openList(path);
  }

  /** Checks a password for an account that may not exist yet. @returns the faults for an account with this username */
  async findFaults(password: string, username: string, usesSecondFactor = this.usesSecondFactor({})): Promise<PasswordFault[]> {
    const { password: policy, app } = this.config;
    const faults = checkPassword(password, { policy, username, appName: app.name, usesSecondFactor });
    return faults.length === 0 && (await this.isBreached(password)) ? ['breached'] : faults;
  }

  /** Whether an account signs in with a second factor, apart from trusted browsers, given what is set up and what is required today. */
  usesSecondFactor({
    secondFactor,
    hasFactor = false,
  }: {
    secondFactor?: Account['secondFactor'] | null;
    hasFactor?: boolean;
  }): boolean {
    const { policy, requiredFrom } = this.config.mfa;
    const hasBegun = requiredFrom === undefined || requiredFrom <= this.clock.now();
    const isRequired = policy === 'required' && hasBegun && secondFactor !== 'optional';
    return hasFactor || secondFactor === 'required' || isRequired;
  }

  /** Whether accounts of this source have their password in Foyer. @param source as stored with accounts; null for no source */
  isPasswordHere(source: string | null): boolean {
    return hasPasswordHere(source, this.config);
  }

  /** @returns the minimum length of a new password, in characters */
  findMinLength(usesSecondFactor: boolean): number {
    return findMinLength(this.config.password, usesSecondFactor);
  }

  /**
   * Whether `BREACHED_LIST` is set and contains the password. If the list cannot be read, the answer is false, so that people can
   * still set a password and sign in.
   */
  async isBreached(password: string): Promise<boolean> {
    try {
      return (await this.#breachedList?.has(password)) ?? false;
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      this.log.error({ reason }, 'the list of breached passwords cannot be read, so a password was not compared with it');
      return false;
    }
  }
}

/** @throws ConfigError */
function openList(path: string): BreachedList {
  try {
    return BreachedList.open(path);
  } catch (error) {
    if (!(error instanceof BreachedListUnusable)) throw error;
    throw new ConfigError([`BREACHED_LIST: ${path} ${error.message}`]);
  }
}
