import { Module } from '@nestjs/common';
import { Lifecycle } from './http/lifecycle.js';
import { Readiness } from './http/health.controller.js';

/** Provides the readiness of the gateway to the gateway and to the operator API. */
@Module({ providers: [Lifecycle, Readiness], exports: [Readiness] })
export class ReadinessModule {}
