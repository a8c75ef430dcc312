import { Module } from '@nestjs/common';
import { PoolGauges } from './pool-gauges.js';

/** The database itself is open before the application is made (`start-foyer.ts`). */
@Module({ providers: [PoolGauges] })
export class DatabaseModule {}
