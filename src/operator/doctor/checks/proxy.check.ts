/**
 * Checks the number of trusted proxies. Too few: all people share the proxy's address, and one attacker locks out
 * everybody. Too many: anybody can forge the address that is counted.
 */
import type { Check } from '../check.js';
import { fault, hint, ok, type Finding } from '../finding.js';

export const proxyCheck: Check = {
  title: 'Proxies',
  async run(examined) {
    const { publicUrl, trustProxyHops: hops } = examined.config;
    const { people, listener, listenerUrl } = (await examined.front()).seen;
    const isDirect = publicUrl === listenerUrl;
    // The listener speaks plain http, so a proxy ends https.
    if (hops === 0 && publicUrl.startsWith('https:')) return [untrustedProxy(`${publicUrl} is https, which a proxy ends`)];
    if (people.state !== 'foyer') return [notSeen(hops)];
    if (hops === 0 && !isDirect) return [untrustedProxy(`people use ${publicUrl}, but Foyer listens at ${listenerUrl}`)];
    if (hops > 0 && isDirect && listener.state === 'foyer') {
      return [
        fault(
          `TRUST_PROXY is ${hops}, but no proxy is in front: clients can forge the address that is counted.`,
          'Set TRUST_PROXY to 0, or PUBLIC_URL to the address of the proxy.',
        ),
      ];
    }
    if (hops === 0) return [ok('No proxy is in front, and no forwarded address is trusted.')];
    return [ok(`The addresses that ${hops === 1 ? 'one proxy' : `${hops} proxies`} in front forward are trusted (TRUST_PROXY).`)];
  },
};

function untrustedProxy(reason: string): Finding {
  return fault(
    `A proxy is in front (${reason}), but TRUST_PROXY is 0: all people share the proxy's address, so one person's wrong passwords lock out everybody.`,
    'Set TRUST_PROXY to the number of proxies in front, and configure each to append to X-Forwarded-For (nginx: $proxy_add_x_forwarded_for).',
  );
}

function notSeen(hops: number): Finding {
  return hint(
    `TRUST_PROXY is ${hops}; the number of proxies can be checked only if Foyer answers at PUBLIC_URL.`,
    'Make Foyer reachable there, then run the doctor again.',
  );
}
