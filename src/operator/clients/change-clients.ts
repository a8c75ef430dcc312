/**
 * Registers, changes and deletes clients at Hydra, replaces their secrets, and records these operations in the audit log.
 *
 * Hydra and the audit log are two systems, and no transaction spans both. So `client.attempted` is committed before the call
 * that changes Hydra: if the process ends, or the database fails, between this call and the record of its outcome, the log still shows who
 * attempted what. The event of the outcome follows: the change, or `client.failed`. An attempt without an outcome may or may not have
 * succeeded.
 */
import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Accounts } from '../../accounts/account/accounts.js';
import { AuditLog, type AuditContext, type AuditDetail } from '../../accounts/audit/audit-log.js';
import type { AuditKind } from '../../accounts/audit/kinds.js';
import { ClientLock } from '../../accounts/operators/client-lock.js';
import { defined } from '../../config/defined.js';
import { randomToken } from '../../config/keys.js';
import { ChallengeUnknown, ChallengeUsed, UpstreamError, UpstreamUnavailable } from '../../hydra/hydra.errors.js';
import { HydraPort } from '../../hydra/hydra.port.js';
import { hasMembers, type ClientMembers, type RegisteredClient } from '../../hydra/registered-client.js';
import { CONSOLE_CLIENT_ID } from '../console/console-client.js';
import type { ClientPreset } from './client-presets.js';
import {
  findClientFaults,
  findClientIdFault,
  findNewClientIdFault,
  replaceFoyer,
  type ClientChanges,
  type ClientMemberFault,
} from './client-rules.js';

/** The call conflicts with the state at Hydra, Hydra has no client with this id, or the id is that of the console (`own_client`). */
export class ClientConflict extends Error {
  constructor(readonly code: 'client_not_found' | 'client_exists' | 'own_client' | 'changed_meanwhile' | 'no_secret') {
    super(code);
  }
}

/** Values of members of a client are not allowed; at least one fault. */
export class ClientInvalid extends Error {
  constructor(readonly faults: readonly ClientMemberFault[]) {
    super('Values of members of the client are not allowed.');
  }
}

interface Attempt {
  client: string;
  action: 'create' | 'change' | 'rotate' | 'delete';
  kind: AuditKind;
  detail?: AuditDetail;
}

@Injectable()
export class ChangeClients {
  constructor(
    private readonly hydra: HydraPort,
    private readonly accounts: Accounts,
    private readonly audit: AuditLog,
    private readonly lock: ClientLock,
  ) {}

  /** @throws ClientConflict */
  async get(id: string): Promise<RegisteredClient> {
    // Hydra is not asked for an id that breaks the rules, because some of these ids would make it answer with a database error.
    const client = findClientIdFault(id) === null ? await this.hydra.findRegisteredClient(id) : null;
    // If Hydra's database ignores case, another spelling of the id would find the client, even Foyer's own.
    if (client?.client_id !== id) throw new ClientConflict('client_not_found');
    return client;
  }

  /**
   * Registers a client from a preset.
   * @param id the id of the client; generated if undefined
   * @returns the client and its secret, which cannot be read again; `secret` is null for a client without one
   * @throws ClientInvalid, ClientConflict, ClientRefused
   */
  async create(
    { id, preset, changes }: { id: string | undefined; preset: ClientPreset; changes: ClientChanges },
    auditContext: AuditContext,
  ): Promise<{ client: RegisteredClient; secret: string | null }> {
    const faults = [...findClientFaults(changes), ...findPresetFaults(preset, changes)];
    const fault = id === undefined ? null : findNewClientIdFault(id);
    if (fault !== null) faults.unshift({ field: 'client_id', message: `client_id ${fault}.` });
    // RFC 9700, section 4.15: apps that check only `sub` would mistake a token of the client itself for a token of the person.
    else if (id !== undefined && (await this.accounts.findByIdOrSubject(id)) !== null)
      faults.unshift({ field: 'client_id', message: 'client_id must not be the id or subject of an account.' });
    if (faults.length > 0) throw new ClientInvalid(faults);
    const clientId = id ?? randomUUID();
    if (clientId === CONSOLE_CLIENT_ID) throw new ClientConflict('own_client');
    if ((await this.hydra.findRegisteredClient(clientId)) !== null) throw new ClientConflict('client_exists');
    const members = { ...preset.members, ...toMembers(changes, {}) };
    const secret = members.token_endpoint_auth_method === 'none' ? null : randomToken();
    const attempt: Attempt = { client: clientId, action: 'create', kind: 'client.created', detail: { preset: preset.name } };
    const client = await this.#attempt(attempt, auditContext, () =>
      this.hydra
        .createClient({ client_id: clientId, ...members, ...(secret === null ? {} : { client_secret: secret }) })
        .catch((error: unknown) => {
          throw error instanceof ChallengeUsed ? new ClientConflict('client_exists') : error;
        }),
    );
    return { client, secret };
  }

  /**
   * Changes members of a client. A lock serialises the changes of operators; it holds a database connection during three calls to Hydra.
   * @param change `version`: the version of the client that the operator read
   * @throws ClientInvalid, ClientConflict, ClientRefused
   */
  async change(
    { id, version, changes }: { id: string; version: string; changes: ClientChanges },
    auditContext: AuditContext,
  ): Promise<RegisteredClient> {
    const client = await this.#getChangeableClient(id);
    if (client.version !== version) throw new ClientConflict('changed_meanwhile');
    const faults = findClientFaults(changes, client);
    if (faults.length > 0) throw new ClientInvalid(faults);
    const members = toMembers(changes, client);
    const fields = Object.keys(members).filter((name) => !hasMembers(client, { [name]: members[name as keyof ClientMembers] }));
    if (fields.length === 0) return client;
    const changedMembers = Object.fromEntries(fields.map((name) => [name, members[name as keyof ClientMembers]]));
    const attempt: Attempt = { client: id, action: 'change', kind: 'client.changed', detail: { fields } };
    return this.#attempt(attempt, auditContext, () =>
      this.lock.run(id, async () => {
        const currentClient = await this.get(id);
        // If the transaction is repeated, the first attempt may already have changed the client.
        if (currentClient.version !== version && !hasMembers(currentClient, changedMembers))
          throw new ClientConflict('changed_meanwhile');
        return this.hydra.changeClient(id, changedMembers).catch(throwConflict);
      }),
    );
  }

  /**
   * Replaces the secret of a client. Hydra stores one secret for each client, so the former one stops working immediately.
   * @returns the new secret, which cannot be read again
   * @throws ClientConflict
   */
  async rotateSecret(id: string, auditContext: AuditContext): Promise<string> {
    const client = await this.#getChangeableClient(id);
    if (!['client_secret_basic', 'client_secret_post'].includes(client.token_endpoint_auth_method))
      throw new ClientConflict('no_secret');
    const secret = randomToken();
    const attempt: Attempt = { client: id, action: 'rotate', kind: 'client.rotated' };
    // A new secret is set under the same lock as a change. Hydra reads and writes the whole client for either, so one of two simultaneous
    // calls would be lost.
    await this.#attempt(attempt, auditContext, () =>
      this.lock.run(id, () => this.hydra.setClientSecret(id, secret).catch(throwConflict)),
    );
    return secret;
  }

  /** @throws ClientConflict */
  async delete(id: string, auditContext: AuditContext): Promise<void> {
    await this.#getChangeableClient(id);
    const attempt: Attempt = { client: id, action: 'delete', kind: 'client.deleted' };
    await this.#attempt(attempt, auditContext, () => this.hydra.deleteClient(id).catch(throwConflict));
  }

  async #getChangeableClient(id: string): Promise<RegisteredClient> {
    if (id === CONSOLE_CLIENT_ID) throw new ClientConflict('own_client');
    return this.get(id);
  }

  async #attempt<Result>(
    { client, action, kind, detail }: Attempt,
    auditContext: AuditContext,
    work: () => Promise<Result>,
  ): Promise<Result> {
    await this.audit.record({ ...auditContext, kind: 'client.attempted', detail: { client, action, ...detail } });
    const outcome = await work().catch(async (error: unknown) => {
      await this.audit.record({ ...auditContext, kind: 'client.failed', detail: { client, action, cause: toCause(error) } });
      throw error;
    });
    await this.audit.record({ ...auditContext, kind, detail: { client, ...detail } });
    return outcome;
  }
}

function toCause(error: unknown): string {
  if (error instanceof ClientConflict) return error.code;
  if (error instanceof UpstreamUnavailable) return 'no_answer';
  return error instanceof UpstreamError ? 'refused' : 'unknown';
}

function throwConflict(error: unknown): never {
  throw error instanceof ChallengeUnknown ? new ClientConflict('client_not_found') : error;
}

function findPresetFaults(preset: ClientPreset, changes: ClientChanges): ClientMemberFault[] {
  const missingFields = preset.requires.filter((field) => (changes[field] ?? '').length === 0);
  const faults = missingFields.map((field) => ({
    field,
    message: `${field} is missing: the preset ${preset.name} requires it.`,
  }));
  const hasNoSecret = preset.members.token_endpoint_auth_method === 'none';
  const method = changes.token_endpoint_auth_method;
  if (method === undefined || (method === 'none') === hasNoSecret) return faults;
  const rule = hasNoSecret ? 'must have the value none' : 'must not have the value none';
  const message = `token_endpoint_auth_method ${rule}: an app of the preset ${preset.name} has ${hasNoSecret ? 'no' : 'a'} secret.`;
  return [...faults, { field: 'token_endpoint_auth_method', message }];
}

function toMembers({ foyer, ...changes }: ClientChanges, currentClient: { metadata?: unknown }): Partial<ClientMembers> {
  return { ...defined(changes), ...(foyer === undefined ? {} : { metadata: replaceFoyer(currentClient.metadata, foyer) }) };
}
