/**
 * A passkey that is offered right after a sign-in with a password, and what waits while the person decides. The password and every
 * factor of the account were proven then, so it needs no other proof; whatever ends that session or freezes credentials ends it.
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
import type { Added } from '../../factor.port.js';
import { PasskeyFactor, SETUP_SECONDS } from './passkey.factor.js';
import { PASSKEY } from './passkey.kind.js';

/** One offer for each sign-in: two tabs may wait for two apps. */
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
  /** The browser may make it without a question. */
  unasked: boolean;
}

const PURPOSE = `factor-setup:${PASSKEY.name}-offer` as const;

const OPEN = new Statement<{ account: string }, { id: string }>(
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
   * @param content what the page and the way on need; JSON
   * @returns false if the account wants no offers, or may not change its credentials now
   */
  async offer({ account, unasked, ...slot }: NewOffer, content: object): Promise<boolean> {
    const accountId = account.id;
    if ((await this.database.run(OPEN, { account: accountId })).length === 0) return false;
    const begun = await this.passkeys.begin({ account, boundTo: toBinding(slot) }, undefined, { unasked });
    if (begun.kind === 'refused') return false;
    const waiting: WaitingOffer<object> = { setup: begun.state, content };
    await this.secrets.replace({
      purpose: PURPOSE,
      accountId,
      boundTo: toBinding(slot),
      payload: JSON.stringify(waiting),
      lifetimeSeconds: SETUP_SECONDS,
      secret: toSecret(slot),
    });
    return true;
  }

  /** @returns null if it was answered, has expired or is another browser's, or if passkeys were turned off since */
  async find<Content>(slot: OfferSlot): Promise<(WaitingOffer<Content> & { accountId: string }) | null> {
    if (this.config.passkeys.mode === 'off') return null;
    return read(await this.secrets.findAt(PURPOSE, toSecret(slot), toBinding(slot)));
  }

  /** The answer to an offer, once. */
  async end<Content>(slot: OfferSlot): Promise<(WaitingOffer<Content> & { accountId: string }) | null> {
    return read(await this.secrets.consume(PURPOSE, toSecret(slot), toBinding(slot)));
  }

  /** @param made session of the set-up, and the JSON of the credential */
  confirm(
    { account, by, ...slot }: OfferSlot & { account: Account; by: AuditContext },
    made: { sessionId: string; credentialJson: string },
  ): Promise<Added> {
    const signedIn = { browser: slot.browser };
    return this.passkeys.confirm({ account, boundTo: toBinding(slot), onlyFirst: false, signedIn, by }, made);
  }

  /** None is offered to the account again. Idempotent */
  async refuse(accountId: string): Promise<void> {
    await this.database.run(REFUSE, { account: accountId });
  }
}

function toBinding({ browser, challenge }: OfferSlot): string {
  return `offer:${browser}:${challenge}`;
}

/** Nobody else knows the id of the browser. */
function toSecret(slot: OfferSlot): string {
  return fingerprint(toBinding(slot));
}

function read<Content>(
  found: { accountId: string | null; payload: string | null } | null,
): (WaitingOffer<Content> & { accountId: string }) | null {
  if (!found?.payload || found.accountId === null) return null;
  return { accountId: found.accountId, ...(JSON.parse(found.payload) as WaitingOffer<Content>) };
}
