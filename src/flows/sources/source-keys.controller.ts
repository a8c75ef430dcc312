/** Publishes the keys that verify Foyer's requests to HTTP user sources (docs/people.md). */
import { Controller, Get, Header, Inject } from '@nestjs/common';
import type { JWK } from 'jose';
import { CONFIG } from '../../config/config.token.js';
import type { Config } from '../../config/config.js';
import { Keys } from '../../config/keys.js';
import { deriveSigningKeys } from '../../config/signing-keys.js';
import { SERVER_PATHS } from '../../contract/paths.js';
import { Fault } from '../../gateway/http/faults.js';
import { Public } from '../../gateway/security/access.guard.js';

@Public()
@Controller()
export class SourceKeysController {
  #keys: Promise<{ keys: JWK[] }> | undefined;

  constructor(
    @Inject(CONFIG) private readonly config: Pick<Config, 'sources'>,
    private readonly serverKeys: Keys,
  ) {}

  /** @returns a JWK set (RFC 7517, section 5) */
  @Get(SERVER_PATHS.sourceKeys)
  @Header('Content-Type', 'application/jwk-set+json')
  @Header('Cache-Control', 'public, max-age=300')
  async keys(): Promise<object> {
    if (!this.config.sources.some(({ type }) => type === 'http'))
      throw new Fault('page_not_found', 'No HTTP user source is configured');
    return (this.#keys ??= this.#derivePublicKeys());
  }

  async #derivePublicKeys(): Promise<{ keys: JWK[] }> {
    return { keys: (await deriveSigningKeys(this.serverKeys, 'source-question')).map(({ publicJwk }) => publicJwk) };
  }
}
