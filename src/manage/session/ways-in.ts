/** The ways to sign in that the installation offers, of which a person has to keep one. */
import { Inject, Injectable } from '@nestjs/common';
import type { OfferedWays } from '../../accounts/identities/ways-in.js';
import { CONFIG } from '../../config/config.token.js';
import type { Config } from '../../config/config.js';
import { IdentityProviders } from '../../providers/identity-providers.port.js';

@Injectable()
export class WaysIn {
  constructor(
    private readonly providers: IdentityProviders,
    @Inject(CONFIG) private readonly config: Pick<Config, 'passkeys'>,
  ) {}

  offered(): OfferedWays {
    return { providers: this.providers.list().map(({ id }) => id), passkeys: this.config.passkeys.mode !== 'off' };
  }
}
