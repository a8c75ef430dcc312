/** Finds where an account comes from: its source, and the data that a SCIM source has sent. */
import { Inject, Injectable } from '@nestjs/common';
import { AccountList } from '../../accounts/account/account-list.js';
import { hasPasswordHere } from '../../config/stored-sources.js';
import { ScimRecords, type ScimRecord } from '../../accounts/scim/scim-records.js';
import { CONFIG } from '../../config/config.token.js';
import type { Config } from '../../config/config.js';
import { PeopleSources } from './people-sources.js';

export interface AccountOrigin {
  /** Id of the user source, issuer of the provider, or `scim:` and the id of a SCIM source. */
  source: string | null;
  sourceName: string | null;
  isPasswordElsewhere: boolean;
  lastSignInAt: Date | null;
  scim: ScimRecord | null;
}

@Injectable()
export class AccountOrigins {
  constructor(
    private readonly list: AccountList,
    private readonly sources: PeopleSources,
    private readonly records: ScimRecords,
    @Inject(CONFIG) private readonly config: Pick<Config, 'scim'>,
  ) {}

  async find(accountId: string): Promise<AccountOrigin> {
    const [{ source, lastSignInAt }, scim] = await Promise.all([this.list.find(accountId), this.records.find(accountId)]);
    return {
      source,
      sourceName: source === null ? null : this.sources.toName(source),
      isPasswordElsewhere: !hasPasswordHere(source, this.config),
      lastSignInAt,
      scim,
    };
  }
}
