import { Injectable } from '@nestjs/common';

/** Whether this process is about to leave: readiness says so before the listener closes. */
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
