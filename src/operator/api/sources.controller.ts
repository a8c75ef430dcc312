import { Controller, Get } from '@nestjs/common';
import { OPERATOR_API } from '../wire.js';
import type { SourceStatesAnswer } from '../wire-installation.js';
import { Operation } from './rights.guard.js';
import { SourceStates } from './source-states.js';

/** Shows the configured user sources and providers. `source.controller.ts` links accounts to them. */
@Controller(`${OPERATOR_API}/sources`)
export class SourcesController {
  constructor(private readonly states: SourceStates) {}

  /** Shows whether each user source and provider can be used, and what is wrong. Takes at most ten seconds. */
  @Get()
  @Operation('sources.list')
  list(): Promise<SourceStatesAnswer> {
    return this.states.list();
  }
}
