/** The user sources and providers to which accounts can belong. */
import { Inject, Injectable } from '@nestjs/common';
import { CONFIG } from '../../config/config.token.js';
import type { Config } from '../../config/config.js';
import { findScimId, toScimSource } from '../../config/stored-sources.js';
import type { ScimSettings } from '../../config/source-settings.js';
import { UserSources } from '../../sources/user-sources.js';
import type { UserSource } from '../../sources/user-source.port.js';

export interface PeopleSource {
  /** The value that is stored with accounts: id of the source, or issuer of the provider. */
  source: string;
  /** Name that people see. */
  name: string;
  /** The user source; absent for a provider. */
  userSource?: UserSource;
  /** Id of the provider; absent for a user source. */
  provider?: string;
}

@Injectable()
export class PeopleSources {
  constructor(
    private readonly sources: UserSources,
    @Inject(CONFIG) private readonly config: Pick<Config, 'providers' | 'scim'>,
  ) {}

  /** @param reference id of a source, or id or issuer of a provider with `"provision": true` */
  find(reference: string): PeopleSource | null {
    const userSource = this.sources.find(reference);
    if (userSource) return { source: reference, name: userSource.name, userSource };
    const provider = this.config.providers.find(
      ({ id, issuer, provision }) => provision && (id === reference || issuer === reference),
    );
    return provider ? { source: provider.issuer, name: provider.name, provider: provider.id } : null;
  }

  /** @param reference id of a SCIM source, or the value that is stored with its accounts */
  findScim(reference: string): ScimSettings | null {
    return this.config.scim.find(({ id }) => id === reference || toScimSource(id) === reference) ?? null;
  }

  /** @param source the value that is stored with accounts @returns its name; `source` itself if it is no longer configured */
  toName(source: string): string {
    const scimId = findScimId(source);
    const scim = scimId === null ? undefined : this.config.scim.find(({ id }) => id === scimId);
    if (scim) return scim.name ?? scim.id;
    return this.sources.find(source)?.name ?? this.config.providers.find(({ issuer }) => issuer === source)?.name ?? source;
  }

  /** Ids of sources, including SCIM sources, and of providers with `"provision": true`. */
  get ids(): string[] {
    return [
      ...this.sources.list.map(({ id }) => id),
      ...this.config.scim.map(({ id }) => id),
      ...this.config.providers.flatMap(({ id, provision }) => (provision ? [id] : [])),
    ];
  }
}
