import { describe, expect, it } from '@jest/globals';
import { pino } from 'pino';
import { RequestedMails } from './requested-mails.js';

describe('the queue of requested mails', () => {
  it('also queues a mail that is requested at the moment at which the mails before it are done', async () => {
    for (let ticks = 0; ticks < 12; ticks += 1) {
      const mails = new RequestedMails(pino({ enabled: false }));
      let end = (): void => {};
      const bothWait = new Promise<void>((resolve) => (end = resolve));
      const queued: string[] = [];
      const add = (requestId: string, wait: Promise<void>): void => {
        mails.add({
          requestId,
          queue: async () => {
            queued.push(requestId);
            await wait;
          },
        });
      };
      add('one', bothWait);
      add('two', bothWait);
      while (queued.length < 2) await new Promise((resolve) => setTimeout(resolve, 5));
      end();
      for (let tick = 0; tick < ticks; tick += 1) await Promise.resolve();
      add('three', Promise.resolve());
      await mails.waitForAll();
      expect([ticks, queued]).toEqual([ticks, ['one', 'two', 'three']]);
    }
  });
});
