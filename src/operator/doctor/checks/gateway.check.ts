/** Checks whether this product answers at its public address and sets cookies that fit that address. */
import type { Check } from '../check.js';
import type { Examination } from '../examination.js';
import { fault, hint, ok } from '../finding.js';
import type { Finding } from '../finding.js';
import type { FrontInspection, ProbeResult } from '../front.js';

export const gatewayCheck: Check = {
  title: 'Address',
  async run(examined) {
    const { seen } = await examined.front();
    const { publicUrl } = examined.config;
    switch (seen.people.state) {
      case 'foyer':
        return answering(publicUrl, seen.people);
      case 'other':
        return [
          fault(
            `The server at PUBLIC_URL, ${publicUrl}, is not Foyer (status ${seen.people.status}).`,
            `Set PUBLIC_URL to the address at which people reach Foyer, or configure the proxy there to forward to ${seen.listenerUrl}.`,
          ),
        ];
      case 'silent':
        return [silent(examined, seen, seen.people.reason)];
    }
  },
};

function answering(publicUrl: string, { isReady, setsSecureCookies }: Extract<ProbeResult, { state: 'foyer' }>): Finding[] {
  const findings = [ok(`Foyer answers at ${publicUrl}.`)];
  if (setsSecureCookies !== publicUrl.startsWith('https:')) {
    findings.push(
      fault(
        `The Foyer at ${publicUrl} sets its cookies for ${setsSecureCookies ? 'https' : 'plain http'}: it runs with a different PUBLIC_URL.`,
        'Start it with the PUBLIC_URL that people use, including the scheme, or run the doctor with its environment.',
      ),
    );
  }
  if (!isReady) {
    findings.push(
      fault(
        'It reports that it is not ready: the database or the OAuth server does not answer.',
        'Fix the findings about those two below.',
      ),
    );
  }
  return findings;
}

function silent({ config }: Examination, { listener, listenerUrl }: FrontInspection, reason: string): Finding {
  const { publicUrl } = config;
  if (listener.state === 'foyer') {
    return fault(
      `No server answers at PUBLIC_URL, ${publicUrl} (${reason}), but Foyer listens at ${listenerUrl}.`,
      `Set PUBLIC_URL to the address that people use (without a proxy that is ${listenerUrl}), or configure the proxy there to forward to Foyer.`,
    );
  }
  if (listener.state === 'other') {
    return fault(
      `No server answers at PUBLIC_URL, ${publicUrl} (${reason}), and another program uses its port, ${listenerUrl}.`,
      'Set PORT to a free port, and start Foyer.',
    );
  }
  return hint(
    `Foyer is not running: no server answers at ${publicUrl} (${reason}). Its cookies, its proxy and its own health were not checked.`,
    'Start it (npm start, or npm run serve in production), then run the doctor again.',
  );
}
