/**
 * All kinds of second factor, with passkeys and recovery codes, in the order in which pages show them. Only this file lists
 * them; policy, pages, calls, notices, the operator API and the doctor use this list.
 */
import { Inject, Injectable, type Provider, type Type } from '@nestjs/common';
import type { Transaction } from 'kysely';
import type { FactorCounts } from '../accounts/account/factor-counts.js';
import { clearFactorCounters } from '../accounts/limits/factor-counters.js';
import type { Config } from '../config/config.js';
import { CONFIG } from '../config/config.token.js';
import { Keys } from '../config/keys.js';
import { FACTOR_CALLS, FACTOR_PATHS } from '../contract/factor-paths.js';
import type { FactorEntryState } from '../contract/mfa-state.js';
import { PATHS } from '../contract/paths.js';
import type { Schema } from '../database/schema.js';
import { Fault } from '../gateway/http/faults.js';
import { USED_KINDS, type Factor, type FactorClass, type FactorKind, type Provable, type ProofKind } from './factor.port.js';
import { EmailCodeFactor } from './factors/email-code/email-code.factor.js';
import { PasskeyFactor } from './factors/passkey/passkey.factor.js';
import { TotpFactor } from './factors/totp/totp.factor.js';
import { WebAuthnFactor } from './factors/webauthn/webauthn.factor.js';
import { Factors } from './factors.js';
import { toCount, hasFactor, isSecondFactor } from './held-factors.js';
import { RECOVERY } from './recovery-codes/recovery-codes.kind.js';
import { RecoveryCodes } from './recovery-codes/recovery-codes.js';

const FACTORS: readonly FactorClass[] = [TotpFactor, WebAuthnFactor, PasskeyFactor, EmailCodeFactor];

/** The kinds that people set up. */
export const KINDS: readonly FactorKind[] = FACTORS.map(({ kind }) => kind);

/** The kinds that can be proven. */
export const PROOF_KINDS: readonly ProofKind[] = [...KINDS, RECOVERY];

/** Names of the kinds, by the addresses of their pages and calls. */
const NAMES: ReadonlyMap<string, string> = new Map(
  KINDS.flatMap(({ name, proofBegins }) => {
    const pages = Object.values(FACTOR_PATHS).map((address) => address(name));
    const calls = Object.values(FACTOR_CALLS).map((address) => PATHS.manageRpc + address(name, proofBegins));
    return [...pages, ...calls].map((path) => [path, name] as const);
  }),
);

const EVERY_FACTOR = Symbol('EveryFactor');

/** One of the factors is of a kind that only a newer version supports. Nothing has changed. */
export class NewerFactor extends Error {
  constructor() {
    super('Only a newer version of Foyer can remove this factor.');
    this.name = 'NewerFactor';
  }
}

export interface HeldFactor {
  kind: ProofKind;
  count: number;
  entries: FactorEntryState[];
}

@Injectable()
export class FactorRegistry {
  constructor(
    @Inject(EVERY_FACTOR) readonly factors: readonly Factor[],
    readonly passkeys: PasskeyFactor,
    private readonly recoveryCodes: RecoveryCodes,
    @Inject(CONFIG) private readonly config: Config,
    private readonly keys: Keys,
    private readonly accountFactors: Factors,
  ) {}

  /** Everything that can be proven: the factors, then recovery codes. */
  get provableFactors(): Provable[] {
    return [...this.factors, this.recoveryCodes];
  }

  find(name: string): Factor | undefined {
    return this.factors.find(({ kind }) => kind.name === name);
  }

  findProvable(name: string): Provable | undefined {
    return this.provableFactors.find(({ kind }) => kind.name === name);
  }

  /**
   * @param path the address of a page (`FACTOR_PATHS`), or of a call (`FACTOR_CALLS` after `PATHS.manageRpc`)
   * @throws Fault if the installation does not use the kind
   */
  getByPath(path: string): Factor {
    const factor = this.find(NAMES.get(path) ?? '');
    if (!factor) throw new Error('This route belongs to no kind of factor.');
    if (!this.isUsed(factor.kind)) throw new Fault('page_not_found', 'This installation does not use this kind of factor');
    return factor;
  }

  /** @returns the kinds of this version that the account has, even those that the installation does not use */
  async describe(accountId: string): Promise<HeldFactor[]> {
    const counts = await this.accountFactors.readCounts(accountId);
    const heldKinds = PROOF_KINDS.filter((kind) => toCount(counts, kind) > 0);
    return Promise.all(
      heldKinds.map(async (kind) => {
        return { kind, count: toCount(counts, kind), entries: (await this.find(kind.name)?.list(accountId)) ?? [] };
      }),
    );
  }

  /**
   * Whether the installation uses the kind. All second factors are used; `MFA_FACTORS` limits only which of them people may set up.
   */
  isUsed(kind: ProofKind): boolean {
    return isUsed(kind, this.config);
  }

  isOffered(kind: FactorKind): boolean {
    return findWorkingKinds(this.config).includes(kind);
  }

  /** Whether the person of this account may set the kind up. */
  async isOfferedTo(accountId: string, kind: FactorKind): Promise<boolean> {
    return this.isOffered(kind) && (isSecondFactor(kind) || this.passkeys.isAvailableFor(accountId));
  }

  /** Whether people may set the kind up during a sign-in that requires a factor. */
  isOfferedAtSignIn(kind: FactorKind): boolean {
    return findWorkingFactors(this.config).includes(kind);
  }

  /** Removes all factors, recovery codes and their counters. Runs in the transaction of a reset. @throws NewerFactor */
  async removeAll(accountId: string, trx: Transaction<Schema>): Promise<void> {
    for (const factor of this.factors) await factor.removeAll(accountId, trx);
    await this.recoveryCodes.remove(accountId, trx);
    if (hasFactor(await this.accountFactors.readCounts(accountId, trx))) throw new NewerFactor();
    await clearFactorCounters(this.keys, { accountId }, trx);
  }
}

/** Injection tokens of the factors; `FactorsModule` exports them. */
export const FACTOR_TOKENS = FACTORS as unknown as Type<Factor>[];

export const factorProviders: Provider[] = [
  ...FACTOR_TOKENS,
  ...FACTORS.flatMap(({ providers }) => providers),
  { provide: EVERY_FACTOR, useFactory: (...factors: Factor[]) => factors, inject: FACTOR_TOKENS },
  { provide: USED_KINDS, useFactory: (config: Config) => KINDS.filter((kind) => isUsed(kind, config)), inject: [CONFIG] },
];

/** @returns the addresses of the included kinds */
export function buildPaths(address: (name: string) => string, isIncluded: (kind: FactorKind) => boolean = () => true): string[] {
  return KINDS.filter(isIncluded).map(({ name }) => address(name));
}

/** @returns the kinds that people may set up. A kind that cannot work is omitted, and the doctor reports why */
export function findWorkingKinds(config: Config): FactorKind[] {
  return KINDS.filter((kind) => {
    const isOffered = isSecondFactor(kind) ? config.mfa.factors.includes(kind.name) : isUsed(kind, config);
    return isOffered && !kind.examine?.(config);
  });
}

/** @returns the working kinds that are second factors, which people may set up during a sign-in that requires one */
export function findWorkingFactors(config: Config): FactorKind[] {
  return findWorkingKinds(config).filter(isSecondFactor);
}

function isUsed({ name }: ProofKind, { passkeys }: Config): boolean {
  return name !== PasskeyFactor.kind.name || passkeys.mode !== 'off';
}

/** @returns the kinds of this version that an account has, without recovery codes */
export function findHeldKinds(counts: FactorCounts): FactorKind[] {
  return KINDS.filter((kind) => toCount(counts, kind) > 0);
}

/** @returns the number of factors of each kind, and of recovery codes, by name */
export function toNamedCounts(counts: FactorCounts): { name: string; count: number }[] {
  return PROOF_KINDS.map((kind) => ({ name: kind.name, count: toCount(counts, kind) }));
}
