import { expect, it } from '@jest/globals';
import pino from 'pino';
import { FakeHydra } from './fake-hydra.js';
import { RevocationQueue, type Revocation } from './revocation-queue.port.js';
import { RevocationRunner } from './revocation-runner.js';
import { RevocationWorker } from './revocation-worker.js';

/** Has due jobs without end. */
class EndlessQueue extends RevocationQueue {
  readonly finishedIds: number[] = [];
  onFinish = (): void => undefined;
  #nextId = 1;

  async claim(max: number): Promise<Revocation[]> {
    await new Promise((resolve) => setImmediate(resolve));
    return Array.from({ length: max }, () => this.#createJob());
  }

  async claimForAccount(): Promise<Revocation[]> {
    return [];
  }

  async isFinished(): Promise<boolean> {
    return false;
  }

  async finish({ id }: Revocation): Promise<void> {
    this.finishedIds.push(id);
    this.onFinish();
  }

  async postpone(): Promise<void> {}

  #createJob(): Revocation {
    const id = this.#nextId++;
    return { id, tries: 1, accountId: 'a', subject: 'a', kind: 'named', sessionIds: [`session-${id}`] };
  }
}

it('a shutdown waits for the jobs that have begun, and begins no others', async () => {
  const queue = new EndlessQueue();
  const log = pino({ level: 'silent' });
  const worker = new RevocationWorker(new RevocationRunner(queue, new FakeHydra(), log), log);
  const secondBatch = new Promise<void>((resolve) => {
    queue.onFinish = () => queue.finishedIds.length > 10 && resolve();
  });
  worker.onApplicationBootstrap();
  await secondBatch;
  await worker.onApplicationShutdown();
  expect(queue.finishedIds).toHaveLength(20);
});
