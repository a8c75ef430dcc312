/** Builds a preview of a client for a person. It uses the same code as the consent page for links, look and claims. */
import { Inject, Injectable } from '@nestjs/common';
import type { Account } from '../../accounts/account/accounts.js';
import { findScopeClaims, MAX_CLAIM_BYTES, measureSize, mergeClaims } from '../../accounts/attributes/claims.js';
import type { Config } from '../../config/config.js';
import { CONFIG } from '../../config/config.token.js';
import { chooseText, FALLBACK_LOCALE } from '../../contract/locale.js';
import { FAR_REACHING_SCOPES, isBuiltInScope, REQUIRED_SCOPE } from '../../contract/scopes.js';
import { toLogos, toWebUrl } from '../../hydra/client-links.js';
import type { ClientProfile } from '../../hydra/client-profile.js';
import { isTrusted } from '../../hydra/trusted-client.js';
import type { ClientPreviewAnswer, PreviewedClaimAnswer, PreviewedScopeAnswer } from '../wire-clients.js';

@Injectable()
export class PreviewClient {
  constructor(@Inject(CONFIG) private readonly config: Pick<Config, 'consent'>) {}

  /** @param scopes the scopes that the client may request */
  build(client: ClientProfile, account: Account, scopes: readonly string[]): ClientPreviewAnswer {
    const claims = mergeClaims(account, scopes, this.config.consent.claims);
    const { logo_url: logo, logo_dark_url: logoDark } = toLogos(client);
    return {
      client_id: client.id,
      shown_name: client.name,
      logo_address: logo ?? null,
      logo_dark_address: logoDark ?? null,
      home_address: toWebUrl(client.clientUri) ?? null,
      policy_address: toWebUrl(client.policyUri) ?? null,
      tos_address: toWebUrl(client.tosUri) ?? null,
      brand_colour: client.look?.brandColour ?? null,
      brand_colour_dark: client.look?.brandColourDark ?? null,
      brand_radius: client.look?.brandRadius ?? null,
      asks_consent: !isTrusted(client),
      requires_second_factor: client.foyer.mfa === 'required',
      scopes: scopes.map((scope) => this.#toScope(scope, account)),
      id_token: claims.idToken,
      access_token: claims.accessToken,
      bytes: measureSize(claims),
      most_bytes: MAX_CLAIM_BYTES,
    };
  }

  #toScope(scope: string, account: Account): PreviewedScopeAnswer {
    const { scopes: catalogue, claims: rules } = this.config.consent;
    const texts = Object.hasOwn(catalogue, scope) ? catalogue[scope] : undefined;
    const locale = account.language ?? FALLBACK_LOCALE;
    return {
      scope,
      title: chooseText(texts?.title, locale) ?? null,
      description: chooseText(texts?.description, locale) ?? null,
      is_known: texts !== undefined || isBuiltInScope(scope),
      is_required: scope === REQUIRED_SCOPE,
      is_far_reaching: FAR_REACHING_SCOPES.includes(scope) || texts?.far_reaching === true,
      claims: findScopeClaims(account, scope, rules).map(({ rule, value }) => {
        return {
          claim: rule.claim,
          title: chooseText(rule.title, locale) ?? null,
          value: value as PreviewedClaimAnswer['value'],
        };
      }),
    };
  }
}
