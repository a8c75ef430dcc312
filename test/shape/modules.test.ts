/** Checks the modules that the operator API and the workers share with the gateway (docs/decisions/0024). */
import { describe, expect, it } from '@jest/globals';
import { MODULE_METADATA } from '@nestjs/common/constants.js';
import { AccountsModule } from '../../src/accounts/accounts.module.js';
import { QueuesModule } from '../../src/app.module.js';
import { HydraModule } from '../../src/hydra/hydra.module.js';

const HOOKS = ['onModuleInit', 'onApplicationBootstrap', 'onModuleDestroy', 'beforeApplicationShutdown', 'onApplicationShutdown'];

describe('a module that several applications share', () => {
  it.each([AccountsModule, HydraModule, QueuesModule])(
    'exports no class with lifecycle hooks, because each application would call them (%p)',
    (type) => {
      const exported = Reflect.getMetadata(MODULE_METADATA.EXPORTS, type) as { name: string; prototype: object }[];
      expect(exported.length).toBeGreaterThan(0);
      const called = exported.filter(({ prototype }) => HOOKS.some((hook) => hook in prototype));
      expect(called.map(({ name }) => name)).toEqual([]);
    },
  );
});
