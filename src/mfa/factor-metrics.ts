/** Starts the counters of proofs and set-ups at 0, so that alerts see the first failure of a kind that was never used. */
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { INSTRUMENTS } from '../telemetry/catalogue.js';
import { Telemetry } from '../telemetry/telemetry.js';
import { PROOF_KINDS } from './registry.js';

const RESULTS = INSTRUMENTS['foyer.factor.attempts'].attributes['foyer.factor.result'];

@Injectable()
export class FactorMetrics implements OnModuleInit {
  constructor(private readonly telemetry: Telemetry) {}

  onModuleInit(): void {
    for (const factor of PROOF_KINDS.flatMap(({ counters }) => counters)) {
      for (const result of RESULTS) {
        this.telemetry.count('foyer.factor.attempts', { 'foyer.factor': factor, 'foyer.factor.result': result }, 0);
      }
    }
  }
}
