import { Module } from '@nestjs/common';
import { PoolGauges } from './pool-gauges.js';

/** `start-foyer.ts` opens the database before the application is created. */
@Module({ providers: [PoolGauges] })
export class DatabaseModule {}
