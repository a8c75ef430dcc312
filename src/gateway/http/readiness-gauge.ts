/** The gauge of the readiness of each part, read on demand. */
import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { AttributesOf } from '../../telemetry/catalogue.js';
import { Telemetry } from '../../telemetry/telemetry.js';
import { Readiness } from './health.controller.js';

type Part = AttributesOf<'foyer.part.ready'>['foyer.part'];

@Injectable()
export class ReadinessGauge implements OnModuleInit {
  constructor(
    private readonly telemetry: Telemetry,
    private readonly readiness: Readiness,
  ) {}

  onModuleInit(): void {
    this.telemetry.observe('foyer.part.ready', async () => {
      const parts = Object.entries(await this.readiness.parts());
      return parts.map(([name, isReady]) => ({ value: isReady ? 1 : 0, attributes: { 'foyer.part': name as Part } }));
    });
  }
}
