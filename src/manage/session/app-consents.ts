/** Lists the apps that have access to an account, revokes their access, and counts them for the overview. */
import { Injectable } from '@nestjs/common';
import { Accounts } from '../../accounts/account/accounts.js';
import { ConsentGrants, isCurrentGrant } from '../../accounts/sessions/consent-grants.js';
import { waitAtMost } from '../../config/wait-at-most.js';
import { HydraPort, type StoredConsent } from '../../hydra/hydra.port.js';

const COUNT_TIMEOUT_MS = 300;

interface Revocation {
  accountId: string;
  subject: string;
  /** Null for all apps. */
  clientId: string | null;
  /** Scopes that the app keeps. */
  keptScopes?: readonly string[];
}

@Injectable()
export class AppConsents {
  /** How long the overview waits for the number of apps. */
  countTimeoutMs = COUNT_TIMEOUT_MS;

  constructor(
    private readonly hydra: HydraPort,
    private readonly accounts: Accounts,
    private readonly grants: ConsentGrants,
  ) {}

  /**
   * Lists Hydra's consents and Foyer's grants: after a person has revoked scopes, Hydra has no consent until the next request
   * of the app.
   */
  async list(accountId: string, subject: string): ReturnType<HydraPort['listConsents']> {
    const [{ consents, isComplete }, grants] = await Promise.all([this.hydra.listConsents(subject), this.grants.list(accountId)]);
    const clients = new Map(consents.map(({ client }) => [client.id, client]));
    const grantConsents = await Promise.all(
      [...new Set(grants.map(({ clientId }) => clientId))].map(async (id): Promise<StoredConsent[]> => {
        const client = clients.get(id) ?? (await this.hydra.getClient(id));
        const [oldestGrant, ...otherGrants] = grants.filter(
          (grant) => grant.clientId === id && isCurrentGrant(grant, client?.createdAt),
        );
        if (!client || !oldestGrant) return [];
        return [{ client, scopes: [oldestGrant, ...otherGrants].map(({ scope }) => scope), grantedAt: oldestGrant.grantedAt }];
      }),
    );
    return { consents: [...consents, ...grantConsents.flat()], isComplete };
  }

  /**
   * Lists the consents of one app. If Hydra has too many consents to read all, those of the app may be among the others, so the app
   * then counts as if it had all scopes of its registration.
   */
  async listOfApp(clientId: string, { accountId, subject }: Pick<Revocation, 'accountId' | 'subject'>): Promise<StoredConsent[]> {
    const { consents, isComplete } = await this.list(accountId, subject);
    const ownConsents = consents.filter(({ client }) => client.id === clientId);
    if (isComplete) return ownConsents;
    const [client, scopes] = await Promise.all([this.hydra.getClient(clientId), this.hydra.getClientScopes(clientId)]);
    return client && scopes ? [...ownConsents, { client, scopes, grantedAt: null }] : ownConsents;
  }

  /**
   * Revokes Foyer's grants first. If Hydra then fails, the app keeps its access until the person tries again. In the other order, a
   * failure of Foyer's database would let the app regain access without a question.
   */
  async revoke({ accountId, subject, clientId, keptScopes = [] }: Revocation): Promise<void> {
    await this.grants.revoke(accountId, { clientId, keptScopes });
    await this.hydra.revokeConsents(subject, clientId ?? undefined);
  }

  /** @returns undefined if Hydra fails or takes too long, or if there are too many apps: the overview works without the number */
  async count(accountId: string): Promise<number | undefined> {
    const count = this.#countAll(accountId).catch(() => undefined);
    return waitAtMost(count, this.countTimeoutMs, undefined);
  }

  async #countAll(accountId: string): Promise<number | undefined> {
    const { consents, isComplete } = await this.list(accountId, await this.accounts.findSubject(accountId));
    return isComplete ? new Set(consents.map(({ client }) => client.id)).size : undefined;
  }
}
