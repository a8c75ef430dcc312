import { describe, expect, it } from '@jest/globals';
import type { Examination } from '../examination.js';
import { proxyCheck } from './proxy.check.js';

async function examine(publicUrl: string, listenerUrl: string, trustProxyHops = 0): Promise<string[]> {
  const foyer = { state: 'foyer' };
  const examination = {
    config: { publicUrl, trustProxyHops },
    gateway: async () => ({ inspection: { publicProbe: foyer, listener: foyer, listenerUrl } }),
  } as unknown as Examination;
  return (await proxyCheck.run(examination)).map(({ level, what }) => `${level}: ${what}`);
}

describe('the doctor about proxies', () => {
  it('sees no proxy if PUBLIC_URL names this machine in another way than HOST', async () => {
    const direct = ['ok: No proxy is in front of Foyer, and no forwarded address is trusted.'];
    expect(await examine('http://localhost:3000', 'http://127.0.0.1:3000')).toEqual(direct);
    expect(await examine('http://127.0.0.1:3000', 'http://localhost:3000')).toEqual(direct);
    expect(await examine('http://localhost:3000', 'http://[::1]:3000', 1)).toEqual([
      expect.stringMatching(/^fault: TRUST_PROXY is 1/),
    ]);
  });

  it('sees a proxy at another port or host', async () => {
    const proxied = [expect.stringMatching(/^fault: A proxy is in front of Foyer/)];
    expect(await examine('http://localhost:8080', 'http://127.0.0.1:3000')).toEqual(proxied);
    expect(await examine('http://localhost:3000', 'http://10.0.0.5:3000')).toEqual(proxied);
  });
});
