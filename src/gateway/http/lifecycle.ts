import { Injectable } from '@nestjs/common';

/** Whether this process is shutting down: readiness reports it before the listener closes. */
@Injectable()
export class Lifecycle {
  #isDraining = false;

  get isDraining(): boolean {
    return this.#isDraining;
  }

  drain(): void {
    this.#isDraining = true;
  }
}
