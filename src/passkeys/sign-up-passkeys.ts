/**
 * A passkey that is created together with its account, in place of a password. Before that, nothing is stored: a MAC binds the
 * challenge to the login request, the browser and the proven address, and the user handle is derived from the request and the
 * address. So every attempt of one sign-up has the same handle, and an authenticator replaces the passkey of a failed attempt. A
 * response cannot be replayed, because an address gets one account and a credential id is accepted once.
 */
import { Inject, Injectable } from '@nestjs/common';
import type { Transaction } from 'kysely';
import { AuditLog, type AuditContext } from '../accounts/audit/audit-log.js';
import { Clock } from '../config/clock.js';
import type { Config } from '../config/config.js';
import { CONFIG } from '../config/config.token.js';
import { fingerprint, Keys } from '../config/keys.js';
import type { Amr } from '../contract/authentication.js';
import type { Schema } from '../database/schema.js';
import { parseClientData } from '../webauthn/client-data.js';
import { parseRegistration } from '../webauthn/credential-json.js';
import { BoundChallenges } from './bound-challenges.js';
import { buildCreationOptions, toParty, verifyPasskeyRegistration } from './ceremony.js';
import { findDefaultName } from './default-name.js';
import { Passkeys, type NewPasskey } from './passkeys.js';

/** A sign-up whose address is proven. */
export interface SignUpSlot {
  /** Challenge of the login request. */
  challenge: string;
  browser: string;
  email: string;
}

export interface SignUpPasskey {
  passkey: NewPasskey;
  /** Base64url. */
  handle: string;
  methods: readonly Amr[];
}

@Injectable()
export class SignUpPasskeys {
  readonly #challenges: BoundChallenges;

  constructor(
    keys: Keys,
    clock: Clock,
    private readonly records: Passkeys,
    private readonly audit: AuditLog,
    @Inject(CONFIG) private readonly config: Pick<Config, 'publicUrl' | 'app' | 'passkeys'>,
  ) {
    this.#challenges = new BoundChallenges(keys, clock);
  }

  /** @param account names that the authenticator shows @returns options for the browser; null if passkeys are turned off */
  async buildOptions(slot: SignUpSlot, account: { username: string; displayName: string }): Promise<object | null> {
    if (!this.#isOn) return null;
    const challenge = this.#challenges.issue('sign-up', toParts(slot));
    return buildCreationOptions(toParty(this.config), { account, challenge, handle: toHandle(slot), passkeys: [] });
  }

  /**
   * @param credential JSON of the browser
   * @returns null if passkeys are turned off, or if the credential is invalid or does not answer a challenge of this sign-up
   */
  async verify(slot: SignUpSlot, credential: string): Promise<SignUpPasskey | null> {
    const response = this.#isOn ? parseRegistration(credential) : null;
    const challenge = response && parseClientData(response.response.clientDataJSON)?.challenge;
    if (!challenge || !this.#challenges.verify(challenge, 'sign-up', toParts(slot))) return null;
    const registration = await verifyPasskeyRegistration(toParty(this.config), { challenge }, response);
    if (registration === null) return null;
    const { passkey, methods } = registration;
    return { passkey: { ...passkey, name: findDefaultName(passkey.aaguid, []) }, handle: toHandle(slot), methods };
  }

  get #isOn(): boolean {
    return this.config.passkeys.mode !== 'off';
  }

  /**
   * Stores the passkey in the transaction that creates the account.
   * @returns false if another account has the credential or the handle
   */
  async insert(
    accountId: string,
    { passkey, handle }: SignUpPasskey,
    { auditContext, trx }: { auditContext: AuditContext; trx: Transaction<Schema> },
  ): Promise<boolean> {
    if (!(await this.records.insertHandle(accountId, handle, trx))) return false;
    if (!(await this.records.insert(accountId, passkey, trx))) return false;
    await this.audit.record({ ...auditContext, kind: 'factor.added', accountId, detail: { factor: 'passkey' } }, trx);
    return true;
  }
}

/**
 * 32 bytes that reveal nothing about the person (WebAuthn Level 3, section 14.6.1), because the challenge is random. Not a MAC:
 * after a rotation of secrets between the page and its form, the handle would differ from the one in the authenticator.
 */
function toHandle({ challenge, email }: SignUpSlot): string {
  return fingerprint(['sign-up', challenge, email].join('\n'));
}

/** No part contains a line break: the address was validated before it was proven. */
function toParts({ challenge, browser, email }: SignUpSlot): string[] {
  return [challenge, browser, email];
}
