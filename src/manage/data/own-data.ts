/**
 * Collects the personal data that Foyer stores about a person, for that person (GDPR, article 15), without secrets, hashes
 * of secrets or names of operators. The list of apps with access also contains consents that Hydra stores.
 */
import { Injectable } from '@nestjs/common';
import type { Account } from '../../accounts/account/accounts.js';
import { ExternalIdentities, type Connection } from '../../accounts/identities/external-identities.js';
import type { OwnDataAnswer } from '../../contract/own-data.js';
import { FactorRegistry } from '../../mfa/registry.js';
import { OwnApps } from '../apps/own-apps.js';
import { OwnDevices } from '../devices/own-devices.js';
import type { ManageContext } from '../session/manage-session.js';
import { OwnTrustedBrowsers } from '../session/own-trusted-browsers.js';
import { OwnHistory } from './own-history.js';

@Injectable()
export class OwnData {
  constructor(
    private readonly registry: FactorRegistry,
    private readonly identities: ExternalIdentities,
    private readonly trustedBrowsers: OwnTrustedBrowsers,
    private readonly devices: OwnDevices,
    private readonly apps: OwnApps,
    private readonly history: OwnHistory,
  ) {}

  /** @throws ProofRequired; UpstreamError if a call to Hydra fails, because incomplete data would look complete */
  async collect(manageContext: ManageContext): Promise<OwnDataAnswer> {
    const { account } = manageContext;
    const [factors, identities, trustedBrowsers, devices, { apps, incomplete }, history] = await Promise.all([
      this.registry.describe(account.id),
      this.identities.list(account.id),
      this.trustedBrowsers.list(manageContext),
      this.devices.list(manageContext),
      this.apps.list(manageContext),
      this.history.collect(account),
    ]);
    return {
      account: toAccountAnswer(account),
      factors: factors.map(({ kind, count, entries }) => ({ name: kind.name, count, entries })),
      providers: identities.map(toConnectionAnswer),
      trusted_browsers: trustedBrowsers,
      devices,
      apps,
      ...(incomplete ? { apps_incomplete: true as const } : {}),
      ...history,
    };
  }
}

function toAccountAnswer(account: Account): OwnDataAnswer['account'] {
  return {
    id: account.id,
    username: account.username,
    display_name: account.displayName,
    email: account.email ?? null,
    email_verified: account.emailVerified,
    picture: account.picture ?? null,
    language: account.language ?? null,
    groups: [...account.groups],
    attributes: account.attributes,
    created_at: account.createdAt.toISOString(),
    updated_at: account.updatedAt.toISOString(),
  };
}

function toConnectionAnswer({ provider, issuer, subject, label, connectedAt, lastUsedAt }: Connection) {
  return {
    provider,
    issuer,
    subject,
    label,
    connected_at: connectedAt.toISOString(),
    last_used_at: lastUsedAt?.toISOString() ?? null,
  };
}
