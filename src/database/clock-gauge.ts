/** Reports how far the clock of this process differs from the clock of the database, on demand. */
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Telemetry } from '../telemetry/telemetry.js';
import { DatabaseReadiness } from './readiness.js';

@Injectable()
export class ClockGauge implements OnModuleInit {
  constructor(
    private readonly telemetry: Telemetry,
    private readonly readiness: DatabaseReadiness,
  ) {}

  onModuleInit(): void {
    this.telemetry.observe('foyer.clock.offset', async () => {
      const { clockOffsetMs } = await this.readiness.state();
      return clockOffsetMs === null ? null : [{ value: clockOffsetMs / 1000, attributes: {} }];
    });
  }
}
