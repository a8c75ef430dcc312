/**
 * Shares the exports of a module of a running application with another application in the same process. Both use the same
 * instances, so limits, queues in memory and listeners apply to both together. An exported class must have no lifecycle
 * hooks, because each application would call them.
 */
import { Module, type DynamicModule, type INestApplicationContext, type InjectionToken, type Type } from '@nestjs/common';
import { GLOBAL_MODULE_METADATA, MODULE_METADATA } from '@nestjs/common/constants.js';

@Module({})
export class RunningModule {
  static share(type: Type, application: Pick<INestApplicationContext, 'get'>): DynamicModule {
    const tokens = (Reflect.getMetadata(MODULE_METADATA.EXPORTS, type) ?? []) as InjectionToken[];
    return {
      module: RunningModule,
      global: Reflect.getMetadata(GLOBAL_MODULE_METADATA, type) === true,
      providers: tokens.map((provide) => ({
        provide,
        useFactory: () => application.get<unknown>(provide, { strict: false }),
      })),
      exports: tokens,
    };
  }
}
