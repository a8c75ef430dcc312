import { describe, expect, it } from '@jest/globals';
import { checkSender } from './mail.check.js';

const toResolver = (code: string) => {
  const fail = () => Promise.reject(Object.assign(new Error(code), { code }));
  return { resolveMx: fail, lookup: fail };
};

describe('the doctor about the domain of the sender', () => {
  it('reports a domain that does not exist', async () => {
    const [finding] = await checkSender('us@foyer.dev', toResolver('ENOTFOUND'));
    expect(finding?.what).toBe('The domain of the sender, foyer.dev, does not exist or receives no mail.');
  });

  it.each(['ESERVFAIL', 'ETIMEOUT', 'EAI_AGAIN'])(
    'reports only that the domain cannot be looked up if DNS fails with %s',
    async (code) => {
      const [finding] = await checkSender('us@foyer.dev', toResolver(code));
      expect(finding).toMatchObject({
        level: 'hint',
        what: `The domain of the sender, foyer.dev, cannot be looked up (${code}).`,
      });
    },
  );
});
