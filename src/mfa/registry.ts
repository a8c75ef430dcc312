/**
 * The kinds of second factor, in the order in which pages show them: the only place that knows all of them. Policy, pages,
 * calls, notices, the operator API and the doctor ask here.
 */
import { Inject, Injectable } from '@nestjs/common';
import type { Provider, Type } from '@nestjs/common';
import type { Transaction } from 'kysely';
import type { FactorCounts } from '../accounts/account/factor-counts.js';
import { clearFactorCounters } from '../accounts/limits/factor-counters.js';
import type { Config } from '../config/config.js';
import { CONFIG } from '../config/config.token.js';
import { Keys } from '../config/keys.js';
import type { Schema } from '../database/schema.js';
import { FACTOR_KINDS } from './factor.port.js';
import type { EnrollableFactor, Factor, FactorClass, FactorKind, Resealed } from './factor.port.js';
import { EmailCodeFactor } from './factors/email-code/email-code.factor.js';
import { RecoveryCodesFactor } from './factors/recovery-codes/recovery-codes.factor.js';
import { RECOVERY_CODES } from './factors/recovery-codes/recovery-codes.records.js';
import { TotpFactor } from './factors/totp/totp.factor.js';
import { WebAuthnFactor } from './factors/webauthn/webauthn.factor.js';
import { countOf } from './factors.js';

const FACTORS: readonly FactorClass[] = [TotpFactor, WebAuthnFactor, EmailCodeFactor, RecoveryCodesFactor];

export const KINDS: readonly FactorKind[] = FACTORS.map(({ kind }) => kind);

/** How many recovery codes there are when they are made. */
export const MOST_STAND_INS = RECOVERY_CODES;

const EVERY_FACTOR = Symbol('EveryFactor');

@Injectable()
export class FactorRegistry {
  constructor(
    @Inject(EVERY_FACTOR) readonly all: readonly Factor[],
    @Inject(CONFIG) private readonly config: Config,
    private readonly keys: Keys,
  ) {}

  find(name: string): Factor | undefined {
    return this.all.find(({ kind }) => kind.name === name);
  }

  /** The one that an address of `FACTOR_PATHS` or `FACTOR_CALLS` names. Only for routes that `pathsOf` has listed */
  getByPath(path: string): Factor {
    const last = path.slice(path.lastIndexOf('/') + 1);
    const named = this.all.filter(({ kind: { name } }) => last === name || last.endsWith(`-${name}`));
    // The longest, so that `-code` is not taken for the end of `-email-code`.
    const [factor] = named.sort((one, other) => other.kind.name.length - one.kind.name.length);
    if (!factor) throw new Error('This route names no factor.');
    return factor;
  }

  getEnrollableByPath(path: string): EnrollableFactor {
    const factor = this.getByPath(path);
    if (!isEnrollable(factor)) throw new Error('This route names no factor that can be set up.');
    return factor;
  }

  /** Those that people set up themselves, whether or not the installation offers them. */
  get enrollable(): EnrollableFactor[] {
    return this.all.filter(isEnrollable);
  }

  findEnrollable(name: string): EnrollableFactor | undefined {
    return this.enrollable.find(({ kind }) => kind.name === name);
  }

  isOffered(kind: FactorKind): boolean {
    return workingKinds(this.config).includes(kind);
  }

  /** After a rotation of secrets. @returns how many secrets of factors were sealed anew, and how many no listed secret opens */
  async reseal(): Promise<Resealed> {
    const sum = { resealed: 0, lost: 0 };
    for (const factor of this.all) {
      const { resealed, lost } = (await factor.reseal?.()) ?? { resealed: 0, lost: 0 };
      sum.resealed += resealed;
      sum.lost += lost;
    }
    return sum;
  }

  /** With what was counted of them. Part of the transaction of a reset */
  async removeAll(accountId: string, trx: Transaction<Schema>): Promise<void> {
    for (const factor of this.all) await factor.removeAll(accountId, trx);
    await clearFactorCounters(this.keys, { accountId }, trx);
  }
}

/** For modules of other applications. */
export const FACTOR_TOKENS = FACTORS as unknown as Type<Factor>[];

export const factorProviders: Provider[] = [
  ...FACTOR_TOKENS,
  ...FACTORS.flatMap(({ providers }) => providers),
  { provide: EVERY_FACTOR, useFactory: (...all: Factor[]) => all, inject: FACTOR_TOKENS },
  { provide: FACTOR_KINDS, useValue: KINDS },
];

/** The addresses of those kinds that have one. */
export function pathsOf(address: (name: string) => string, has: (kind: FactorKind) => boolean): string[] {
  return KINDS.filter(has).map(({ name }) => address(name));
}

/** Kinds that people may set up here. One that cannot work is left out, and the doctor says why. */
export function workingKinds(config: Config): FactorKind[] {
  return KINDS.filter(({ name, setUpBy, examine }) => {
    return setUpBy !== null && config.mfa.factors.includes(name) && !examine?.(config);
  });
}

/** Kinds that an account has; those that stand in for a lost one are none by themselves. */
export function heldKinds(counts: FactorCounts): FactorKind[] {
  return KINDS.filter((kind) => !kind.standsIn && countOf(counts, kind) > 0);
}

/**
 * Whether the account has a second factor. A kind that only a newer version knows counts too: during a rolling upgrade an
 * older gateway must not sign anybody in without it.
 */
export function hasFactor(counts: FactorCounts): boolean {
  const standIns = KINDS.filter(({ standsIn }) => standsIn).map(({ kind }) => kind);
  return Object.entries(counts).some(([kind, count]) => count > 0 && !standIns.includes(kind));
}

/** How many of each kind, by name. */
export function namedCounts(counts: FactorCounts): { name: string; count: number }[] {
  return KINDS.map((kind) => ({ name: kind.name, count: countOf(counts, kind) }));
}

/** By the name of a kind. */
export function isStandIn(name: string): boolean {
  return KINDS.some((kind) => kind.name === name && kind.standsIn === true);
}

/** How many recovery codes are left. */
export function standInsLeft(counts: FactorCounts): number {
  return KINDS.reduce((sum, kind) => (kind.standsIn ? sum + countOf(counts, kind) : sum), 0);
}

function isEnrollable(factor: Factor): factor is EnrollableFactor {
  return factor.kind.setUpBy !== null;
}
