import { Module } from '@nestjs/common';
import { Lifecycle } from './http/lifecycle.js';
import { Readiness } from './http/health.controller.js';

/** Tells the gateway and the operator API whether the gateway accepts requests. */
@Module({ providers: [Lifecycle, Readiness], exports: [Readiness] })
export class ReadinessModule {}
