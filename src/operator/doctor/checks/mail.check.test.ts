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

  it('reports a domain that declares that it receives no mail (RFC 7505)', async () => {
    const resolver = { resolveMx: async () => [{ exchange: '', priority: 0 }], lookup: async () => '192.0.2.1' };
    expect(await checkSender('us@foyer.dev', resolver)).toMatchObject([
      { level: 'hint', what: 'The domain of the sender, foyer.dev, does not exist or receives no mail.' },
    ]);
    const mailServer = { ...resolver, resolveMx: async () => [{ exchange: 'mx.foyer.dev', priority: 10 }] };
    expect(await checkSender('us@foyer.dev', mailServer)).toEqual([]);
  });

  it('recognises a reserved domain in capitals', async () => {
    expect(await checkSender('us@Shop.EXAMPLE', toResolver('ESERVFAIL'))).toMatchObject([
      { level: 'hint', what: expect.stringContaining('whose domain other mail servers refuse') },
    ]);
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
