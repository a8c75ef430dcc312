import { Module } from '@nestjs/common';
import { Revocations } from './revocations.js';

/** The adapter itself is made before the application (`start-foyer.ts`). */
@Module({ providers: [Revocations], exports: [Revocations] })
export class HydraModule {}
