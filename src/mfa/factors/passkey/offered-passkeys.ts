/**
 * The offer of a passkey right after a sign-in with a password, and the data that is stored while the person decides. The sign-in
 * has proven the password and, if the account has second factors, one of them, so the passkey needs no other proof. If the session
 * ends or the credentials are frozen, no passkey is created.
 */
import { Inject, Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import type { Account } from '../../../accounts/account/account.js';
import type { AuditContext } from '../../../accounts/audit/audit-log.js';
import { OneTimeSecrets } from '../../../accounts/secrets/one-time-secrets.js';
import type { Config } from '../../../config/config.js';
import { CONFIG } from '../../../config/config.token.js';
import { fingerprint } from '../../../config/keys.js';
import type { InitPasskeyAnswer } from '../../../contract/rpc.js';
import { Database } from '../../../database/database.js';
import { Statement } from '../../../database/statement.js';
import type { SetUpResult } from '../../factor.port.js';
import { PasskeyFactor, SETUP_SECONDS } from './passkey.factor.js';
import { PASSKEY } from './passkey.kind.js';

/** Each sign-in has a separate offer, because two tabs may sign in to two apps. */
export interface OfferSlot {
  browser: string;
  /** Challenge of the login request. */
  challenge: string;
}

export interface WaitingOffer<Content> {
  setup: InitPasskeyAnswer;
  content: Content;
}

interface NewOffer extends OfferSlot {
  account: Account;
  /** The browser may create the passkey without asking the person. */
  unasked: boolean;
}

const PURPOSE = `factor-setup:${PASSKEY.name}-offer` as const;

const FIND_RECIPIENT = new Statement<{ account: string }, { id: string }>(
  'passkey-offer.open',
  ({ param, now }) => sql`
    select id from account
    where id = ${param('account')} and status = 'active' and passkey_offer_refused_at is null
      and (credentials_frozen_until is null or credentials_frozen_until <= ${now})`,
);

const REFUSE = new Statement<{ account: string }, never>(
  'passkey-offer.refuse',
  ({ param, now }) => sql`
    update account set passkey_offer_refused_at = ${now}
    where id = ${param('account')} and passkey_offer_refused_at is null`,
);

@Injectable()
export class OfferedPasskeys {
  constructor(
    private readonly database: Database,
    private readonly secrets: OneTimeSecrets,
    private readonly passkeys: PasskeyFactor,
    @Inject(CONFIG) private readonly config: Pick<Config, 'passkeys'>,
  ) {}

  /**
   * @param content data that the page and the rest of the sign-in need, stored as JSON
   * @returns false if the person has permanently refused offers, if the account is not active, if its credentials are frozen, or if
   * it cannot have passkeys
   */
  async offer({ account, unasked, ...slot }: NewOffer, content: object): Promise<boolean> {
    const accountId = account.id;
    if ((await this.database.run(FIND_RECIPIENT, { account: accountId })).length === 0) return false;
    const result = await this.passkeys.begin({ account, boundTo: toBinding(slot) }, undefined, { unasked });
    if (result.kind === 'refused') return false;
    const offer: WaitingOffer<object> = { setup: result.state, content };
    await this.secrets.replace({
      purpose: PURPOSE,
      accountId,
      boundTo: toBinding(slot),
      payload: JSON.stringify(offer),
      lifetimeSeconds: SETUP_SECONDS,
      secret: toSecret(slot),
    });
    return true;
  }

  /** @returns null if no offer waits in this slot, or if passkeys were turned off */
  async find<Content>(slot: OfferSlot): Promise<(WaitingOffer<Content> & { accountId: string }) | null> {
    if (this.config.passkeys.mode === 'off') return null;
    return parseOffer(await this.secrets.findBound(PURPOSE, toSecret(slot), toBinding(slot)));
  }

  /** Ends the offer when the person answers it. @returns the offer, once; null if there is none */
  async end<Content>(slot: OfferSlot): Promise<(WaitingOffer<Content> & { accountId: string }) | null> {
    return parseOffer(await this.secrets.consume(PURPOSE, toSecret(slot), toBinding(slot)));
  }

  /** @param credential the session id of the set-up, and the JSON of the new credential */
  confirm(
    { account, auditContext, ...slot }: OfferSlot & { account: Account; auditContext: AuditContext },
    credential: { sessionId: string; credentialJson: string },
  ): Promise<SetUpResult> {
    const signedIn = { browser: slot.browser };
    return this.passkeys.confirm({ account, boundTo: toBinding(slot), onlyFirst: false, signedIn, auditContext }, credential);
  }

  /** Prevents all later offers to this account. Idempotent. */
  async refuse(accountId: string): Promise<void> {
    await this.database.run(REFUSE, { account: accountId });
  }
}

function toBinding({ browser, challenge }: OfferSlot): string {
  return `offer:${browser}:${challenge}`;
}

/** The secret of the offer, made from the browser id, which only that browser has. */
function toSecret(slot: OfferSlot): string {
  return fingerprint(toBinding(slot));
}

function parseOffer<Content>(
  secret: { accountId: string | null; payload: string | null } | null,
): (WaitingOffer<Content> & { accountId: string }) | null {
  if (!secret?.payload || secret.accountId === null) return null;
  return { accountId: secret.accountId, ...(JSON.parse(secret.payload) as WaitingOffer<Content>) };
}
