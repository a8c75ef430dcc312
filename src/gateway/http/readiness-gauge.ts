/** Gauge of each dependency's readiness, read on demand. */
import { Inject, Injectable } from '@nestjs/common';
import type { OnModuleInit } from '@nestjs/common';
import type { AttributesOf } from '../../telemetry/catalogue.js';
import { Telemetry } from '../../telemetry/telemetry.js';
import { READINESS_PROBES } from './health.controller.js';
import type { ReadinessProbe } from './health.controller.js';

type Part = AttributesOf<'foyer.part.ready'>['foyer.part'];

@Injectable()
export class ReadinessGauge implements OnModuleInit {
  constructor(
    private readonly telemetry: Telemetry,
    @Inject(READINESS_PROBES) private readonly probes: readonly ReadinessProbe[],
  ) {}

  onModuleInit(): void {
    this.telemetry.observe('foyer.part.ready', () => Promise.all(this.probes.map(read)));
  }
}

async function read({ name, isReady }: ReadinessProbe): Promise<{ value: number; attributes: { 'foyer.part': Part } }> {
  return { value: (await isReady()) ? 1 : 0, attributes: { 'foyer.part': name as Part } };
}
