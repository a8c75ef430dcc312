/** The address that people see: whether this product answers there, and sets its cookies as that address needs them. */
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
            `Something else than Foyer answers at PUBLIC_URL, ${publicUrl} (status ${seen.people.status}).`,
            `Set PUBLIC_URL to the address at which people reach Foyer, or let the proxy there lead to ${seen.listenerUrl}.`,
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
        `The Foyer at ${publicUrl} sets its cookies for ${setsSecureCookies ? 'https' : 'plain http'}: it runs with another PUBLIC_URL than this one.`,
        'Start it with the PUBLIC_URL that people use, scheme included, or run the doctor with its environment.',
      ),
    );
  }
  if (!isReady) {
    findings.push(
      fault(
        'It says that it is not ready: the database or the OAuth server does not answer it.',
        'What is said below of those two fixes it.',
      ),
    );
  }
  return findings;
}

function silent({ config }: Examination, { listener, listenerUrl }: FrontInspection, reason: string): Finding {
  const { publicUrl } = config;
  if (listener.state === 'foyer') {
    return fault(
      `Nobody answers at PUBLIC_URL, ${publicUrl} (${reason}), while Foyer itself listens at ${listenerUrl}.`,
      `Set PUBLIC_URL to the address that people use (without a proxy that is ${listenerUrl}), or let the proxy there lead to Foyer.`,
    );
  }
  if (listener.state === 'other') {
    return fault(
      `Nobody answers at PUBLIC_URL, ${publicUrl} (${reason}), and something else than Foyer has its port, ${listenerUrl}.`,
      'Set PORT to a free one, and start Foyer.',
    );
  }
  return hint(
    `Foyer is not running: nobody answers at ${publicUrl} (${reason}). Its cookies, its proxy and its own view were not looked at.`,
    'Start it (npm start, or npm run serve in production), then run the doctor again.',
  );
}
