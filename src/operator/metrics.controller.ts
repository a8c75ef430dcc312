/** What Prometheus reads. On the operator's port and never on the public one (OWASP ASVS 13.4.5). */
import { Controller, Get, Inject, Res } from '@nestjs/common';
import type { ServerResponse } from 'node:http';
import type { Telemetry } from '../telemetry/telemetry.js';
import { METRICS_PATH, METRICS_TYPE } from './wire.js';

export const TELEMETRY = Symbol('Telemetry');

@Controller(METRICS_PATH)
export class MetricsController {
  constructor(@Inject(TELEMETRY) private readonly telemetry: Telemetry) {}

  @Get()
  async metrics(@Res() response: ServerResponse): Promise<void> {
    const text = (await this.telemetry.scrape()) ?? '';
    response.writeHead(200, { 'Content-Type': METRICS_TYPE });
    response.end(text);
  }
}
