/**
 * A module of an application that runs already, for another application of the same process: both work with the very same
 * instances, so that bounds on hashing, queues in memory and the outbox's listener hold for both together. What the module
 * exports stays the only list. An exported class has no lifecycle hooks: each application would call them.
 */
import { Module } from '@nestjs/common';
import type { DynamicModule, INestApplicationContext, InjectionToken, Type } from '@nestjs/common';
import { GLOBAL_MODULE_METADATA, MODULE_METADATA } from '@nestjs/common/constants.js';

@Module({})
export class RunningModule {
  static of(type: Type, application: Pick<INestApplicationContext, 'get'>): DynamicModule {
    const exported = (Reflect.getMetadata(MODULE_METADATA.EXPORTS, type) ?? []) as InjectionToken[];
    return {
      module: RunningModule,
      global: Reflect.getMetadata(GLOBAL_MODULE_METADATA, type) === true,
      providers: exported.map((provide) => ({
        provide,
        useFactory: () => application.get<unknown>(provide, { strict: false }),
      })),
      exports: exported,
    };
  }
}
