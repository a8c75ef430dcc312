import { describe, expect, it } from '@jest/globals';
import { SameForms } from './same-forms.js';

describe('[LOG-14] two clicks on one form', () => {
  it('share one answer while the first click is in progress', async () => {
    const forms = new SameForms<number>();
    let resolve: (answer: number) => void = () => undefined;
    const promise = new Promise<number>((settle) => {
      resolve = settle;
    });
    let count = 0;
    const work = () => {
      count += 1;
      return promise;
    };
    const clicks = [forms.runOnce(['browser', 'form'], work), forms.runOnce(['browser', 'form'], work)];
    resolve(7);
    expect(await Promise.all(clicks)).toEqual([7, 7]);
    expect(count).toBe(1);
    expect(await forms.runOnce(['browser', 'form'], async () => 8)).toBe(8);
  });

  it('share a failure, which the next click does not repeat', async () => {
    const forms = new SameForms<number>();
    const fail = () => Promise.reject(new Error('down'));
    const clicks = [forms.runOnce(['a'], fail), forms.runOnce(['a'], fail)];
    for (const click of clicks) await expect(click).rejects.toThrow('down');
    expect(await forms.runOnce(['a'], async () => 1)).toBe(1);
  });

  it('are not the same when any part differs', async () => {
    const forms = new SameForms<number>();
    const answers = [['a', 'b'], ['a,b'], ['a', 'b', '']].map((parts, index) => forms.runOnce(parts, async () => index));
    expect(await Promise.all(answers)).toEqual([0, 1, 2]);
  });
});
