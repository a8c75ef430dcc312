import { Module } from '@nestjs/common';
import { RevocationRunner } from './revocation-runner.js';

/** `start-foyer.ts` creates the adapter before the application. */
@Module({ providers: [RevocationRunner], exports: [RevocationRunner] })
export class HydraModule {}
