import { Module } from '@nestjs/common';
import { ClockGauge } from './clock-gauge.js';
import { PoolGauges } from './pool-gauges.js';

/** `start-foyer.ts` opens the database before the application is created. */
@Module({ providers: [ClockGauge, PoolGauges] })
export class DatabaseModule {}
