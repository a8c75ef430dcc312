/**
 * Imports and exports second factors. In a line, each kind with a secret has its own member; kinds without a secret are listed by
 * name in `factors`.
 */
import { Injectable } from '@nestjs/common';
import type { Transaction } from 'kysely';
import { AccountFieldInvalid } from '../accounts/account/account.errors.js';
import type { Schema } from '../database/schema.js';
import type { FactorTransfer } from './factor.port.js';
import { FactorRegistry } from './registry.js';

/** The factors of an imported account: secrets by name of the kind; an empty string for a kind without a secret. */
export type FactorSecrets = ReadonlyMap<string, string>;

/** Members about factors in one line of an export. */
export interface FactorMembers {
  factors?: string[];
  [secret: string]: string | string[] | undefined;
}

interface Transferable {
  name: string;
  transfer: FactorTransfer;
}

@Injectable()
export class FactorTransfers {
  constructor(private readonly registry: FactorRegistry) {}

  /**
   * Validates the factors of one line of an import.
   * @param secrets by member of the line
   * @param names the kinds without a secret
   * @throws AccountFieldInvalid
   */
  check(secrets: Readonly<Record<string, string | undefined>>, names: readonly string[]): FactorSecrets {
    const factorSecrets = new Map(names.map((name) => [this.#requireKindWithoutSecret(name), '']));
    for (const { name, transfer } of this.#listAll()) {
      const secret = transfer.secret && secrets[transfer.secret.member];
      if (secret !== undefined && transfer.secret) factorSecrets.set(name, transfer.secret.check(secret));
    }
    return factorSecrets;
  }

  /** @returns the detail for the audit log: whether each kind with a secret was imported, and which other kinds were */
  toDetail(factorSecrets: FactorSecrets): Record<string, boolean> {
    const reportedKinds = this.#listAll().filter(
      ({ name, transfer }) => transfer.secret !== undefined || factorSecrets.has(name),
    );
    return Object.fromEntries(reportedKinds.map(({ name }) => [name, factorSecrets.has(name)]));
  }

  /** Runs in the transaction that creates the accounts. */
  async insert(accounts: readonly { id: string; factorSecrets: FactorSecrets }[], trx: Transaction<Schema>): Promise<void> {
    for (const { name, transfer } of this.#listAll()) {
      const secrets = accounts.flatMap(({ id, factorSecrets }) => {
        const secret = factorSecrets.get(name);
        return secret === undefined ? [] : [[id, secret] as const];
      });
      if (secrets.length > 0) await transfer.insert(new Map(secrets), trx);
    }
  }

  /** @param wantsSecrets if false, kinds with a secret are omitted @returns members of a line, by account */
  async readMembers(accountIds: readonly string[], wantsSecrets: boolean): Promise<Map<string, FactorMembers>> {
    const members = new Map<string, FactorMembers>();
    for (const { name, transfer } of this.#listAll()) {
      if (transfer.secret && !wantsSecrets) continue;
      for (const [id, secret] of await transfer.read(accountIds)) {
        const { factors = [], ...others } = members.get(id) ?? {};
        const secretMember = transfer.secret ? { [transfer.secret.member]: secret } : {};
        const names = transfer.secret ? factors : [...factors, name];
        members.set(id, { ...others, ...secretMember, ...(names.length > 0 ? { factors: names } : {}) });
      }
    }
    return members;
  }

  #listAll(): Transferable[] {
    return this.registry.factors.flatMap(({ kind, transfer }) => {
      return transfer ? [{ name: kind.name, transfer }] : [];
    });
  }

  #requireKindWithoutSecret(name: string): string {
    const names = this.#listAll().flatMap((factor) => (factor.transfer.secret ? [] : factor.name));
    if (names.includes(name)) return name;
    throw new AccountFieldInvalid(
      'factors',
      'format',
      names.length > 0 ? `factors may contain only ${names.join(', ')}.` : 'factors must be empty.',
    );
  }
}
