import { Module } from '@nestjs/common';
import { Lifecycle } from './http/lifecycle.js';
import { Readiness } from './http/health.controller.js';

/** Whether the gateway takes requests; the operator API says the same. */
@Module({ providers: [Lifecycle, Readiness], exports: [Readiness] })
export class ReadinessModule {}
