/**
 * Proxies in front, and how many of them are believed. Too few: everybody has the proxy's address, and one guesser locks
 * all out. Too many: anybody writes the address that is counted.
 */
import type { Check } from '../check.js';
import { fault, hint, ok } from '../finding.js';
import type { Finding } from '../finding.js';

export const proxyCheck: Check = {
  title: 'Proxies',
  async run(examined) {
    const { publicUrl, trustProxyHops: hops } = examined.config;
    const { people, listener, listenerUrl } = (await examined.front()).seen;
    const isDirect = publicUrl === listenerUrl;
    // The listener speaks plain http, so https ends before it.
    if (hops === 0 && publicUrl.startsWith('https:')) return [notBelieved(`${publicUrl} is https, which a proxy ends`)];
    if (people.state !== 'foyer') return [notSeen(hops)];
    if (hops === 0 && !isDirect) return [notBelieved(`people come by ${publicUrl}, and Foyer listens at ${listenerUrl}`)];
    if (hops > 0 && isDirect && listener.state === 'foyer') {
      return [
        fault(
          `TRUST_PROXY is ${hops}, and nobody stands in front: who connects says what address is counted.`,
          'Set TRUST_PROXY to 0, or PUBLIC_URL to the address of the proxy.',
        ),
      ];
    }
    if (hops === 0) return [ok('Nobody stands in front, and no forwarded address is believed.')];
    return [
      ok(`The addresses that ${hops === 1 ? 'one proxy' : `${hops} proxies`} in front forward are believed (TRUST_PROXY).`),
    ];
  },
};

function notBelieved(reason: string): Finding {
  return fault(
    `A proxy stands in front (${reason}), and TRUST_PROXY is 0: everybody has the proxy's address, so one person's wrong passwords stop all.`,
    'Set TRUST_PROXY to the number of proxies in front, and let each append to X-Forwarded-For (nginx: $proxy_add_x_forwarded_for).',
  );
}

function notSeen(hops: number): Finding {
  return hint(
    `TRUST_PROXY is ${hops}; whether so many proxies stand in front can be seen only where Foyer answers at PUBLIC_URL.`,
    'Let Foyer answer there, then run the doctor again.',
  );
}
