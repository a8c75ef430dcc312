import { Injectable } from '@nestjs/common';

/** Whether this process is shutting down: readiness reports it before the listener closes. */
@Injectable()
export class Lifecycle {
  #draining = false;

  get isDraining(): boolean {
    return this.#draining;
  }

  drain(): void {
    this.#draining = true;
  }
}
