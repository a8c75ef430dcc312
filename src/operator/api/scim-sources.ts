/** Finds the SCIM sources of the settings by the ids that the operator API uses. */
import { Inject, Injectable } from '@nestjs/common';
import { toScimSource } from '../../config/stored-sources.js';
import { CONFIG } from '../../config/config.token.js';
import type { Config } from '../../config/config.js';
import { OperatorFault } from './operator-fault.js';

@Injectable()
export class ScimSources {
  constructor(@Inject(CONFIG) private readonly config: Pick<Config, 'scim'>) {}

  /** @param id the id in the settings @returns the value that is stored with accounts @throws OperatorFault 422 */
  require(id: string): string {
    if (this.config.scim.some((source) => source.id === id)) return toScimSource(id);
    const ids = this.config.scim.map((source) => source.id);
    const alternatives = ids.length === 0 ? 'none is configured' : `the configured ones are ${ids.join(', ')}`;
    throw new OperatorFault(422, 'unknown_source', `No SCIM source has this id; ${alternatives}.`, { field: 'source' });
  }
}
