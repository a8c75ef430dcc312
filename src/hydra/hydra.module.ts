import { Module } from '@nestjs/common';
import { Revocations } from './revocations.js';

/** `start-foyer.ts` creates the adapter before the application. */
@Module({ providers: [Revocations], exports: [Revocations] })
export class HydraModule {}
