/**
 * Checks the number of trusted proxies. With too few, all people share the address of a proxy, and one attacker locks everybody
 * out. With too many, anybody can forge the address whose failures are counted.
 */
import type { Check } from '../check.js';
import { fault, hint, ok, type Finding } from '../finding.js';
import { isListener } from '../gateway-probe.js';

export const proxyCheck: Check = {
  title: 'Proxies',
  async run(examination) {
    const { publicUrl, trustProxyHops: hops } = examination.config;
    const { publicProbe, listener, listenerUrl } = (await examination.gateway()).inspection;
    const isDirect = isListener(publicUrl, listenerUrl);
    // The gateway itself serves plain http, so https means that there is a proxy.
    if (hops === 0 && publicUrl.startsWith('https:'))
      return [explainUntrustedProxy(`${publicUrl} is https, and Foyer itself serves plain http`)];
    if (publicProbe.state !== 'foyer') return [explainUnchecked(hops)];
    if (hops === 0 && !isDirect) return [explainUntrustedProxy(`people use ${publicUrl}, but Foyer listens at ${listenerUrl}`)];
    if (hops > 0 && isDirect && listener.state === 'foyer') {
      return [
        fault(
          `TRUST_PROXY is ${hops}, but no proxy is in front of Foyer: clients can forge the address whose failures are counted.`,
          'Set TRUST_PROXY to 0, or PUBLIC_URL to the address of the proxy.',
        ),
      ];
    }
    if (hops === 0) return [ok('No proxy is in front of Foyer, and no forwarded address is trusted.')];
    return [
      ok(
        `Foyer trusts the addresses that ${hops === 1 ? 'the proxy' : `the ${hops} proxies`} in front of it forward${hops === 1 ? 's' : ''} (TRUST_PROXY).`,
      ),
    ];
  },
};

function explainUntrustedProxy(reason: string): Finding {
  return fault(
    `A proxy is in front of Foyer (${reason}), but TRUST_PROXY is 0: all people share the address of the proxy, so the wrong passwords of one person lock everybody out.`,
    'Set TRUST_PROXY to the number of proxies in front of Foyer, and configure each of them to append to X-Forwarded-For (nginx: $proxy_add_x_forwarded_for).',
  );
}

function explainUnchecked(hops: number): Finding {
  return hint(
    `TRUST_PROXY is ${hops}; the number of proxies can be checked only if Foyer answers at PUBLIC_URL.`,
    'Make Foyer answer at PUBLIC_URL, then run the doctor again.',
  );
}
