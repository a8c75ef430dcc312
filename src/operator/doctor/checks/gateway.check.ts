/** Checks whether Foyer answers at its public address, is ready, and sets cookies that fit this address. */
import type { Check } from '../check.js';
import type { Examination } from '../examination.js';
import { fault, hint, ok, type Finding } from '../finding.js';
import type { GatewayInspection, ProbeResult } from '../gateway-probe.js';

export const gatewayCheck: Check = {
  title: 'Address',
  async run(examination) {
    const { inspection } = await examination.gateway();
    const { publicUrl } = examination.config;
    switch (inspection.publicProbe.state) {
      case 'foyer':
        return checkAnsweringGateway(publicUrl, inspection.publicProbe);
      case 'other':
        return [
          fault(
            `The server at PUBLIC_URL, ${publicUrl}, is not Foyer (status ${inspection.publicProbe.status}).`,
            `Set PUBLIC_URL to the address at which people reach Foyer, or configure the proxy there to forward to ${inspection.listenerUrl}.`,
          ),
        ];
      case 'silent':
        return [explainSilence(examination, inspection, inspection.publicProbe.reason)];
    }
  },
};

/** The parts that `/health/ready` may name if a gateway is not ready: why the part is not ready, and what to do. */
const FAILING_PARTS: Readonly<Record<string, { reason: string; fix: string }>> = {
  database: { reason: 'the database does not answer, or is read-only', fix: 'Fix the findings about the database.' },
  clock: {
    reason: "the clock of Foyer's machine differs from the clock of the database by 30 seconds or more",
    fix: 'Synchronise both machines with NTP (timedatectl set-ntp true); the findings about clocks are below.',
  },
  upstream: { reason: 'Hydra does not answer', fix: 'Fix the findings about Hydra below.' },
  gateway: { reason: 'it is shutting down', fix: 'Start the gateway again, or check a gateway that keeps running.' },
};

function checkAnsweringGateway(
  publicUrl: string,
  { isReady, failingParts, setsSecureCookies }: Extract<ProbeResult, { state: 'foyer' }>,
): Finding[] {
  const findings = [ok(`Foyer answers at ${publicUrl}.`)];
  if (setsSecureCookies !== publicUrl.startsWith('https:')) {
    findings.push(
      fault(
        `Foyer at ${publicUrl} sets cookies for ${setsSecureCookies ? 'https' : 'plain http'}: it runs with a different PUBLIC_URL.`,
        'Set PUBLIC_URL of the gateway to the address that people use, including the scheme, or run the doctor with the environment of the gateway.',
      ),
    );
  }
  if (isReady) return findings;
  const causes = failingParts.flatMap((part) => FAILING_PARTS[part] ?? []);
  const reasons = causes.map(({ reason }) => reason).join('; ') || 'it reports no reason';
  const fixes = causes.map(({ fix }) => fix).join(' ') || 'Read the log of the gateway.';
  return [...findings, fault(`Foyer reports that it is not ready: ${reasons}.`, fixes)];
}

function explainSilence({ config }: Examination, { listener, listenerUrl }: GatewayInspection, reason: string): Finding {
  const { publicUrl } = config;
  if (listener.state === 'foyer') {
    return fault(
      `No server answers at PUBLIC_URL, ${publicUrl} (${reason}), but Foyer listens at ${listenerUrl}.`,
      `Set PUBLIC_URL to the address that people use (without a proxy: ${listenerUrl}), or configure the proxy there to forward to Foyer.`,
    );
  }
  if (listener.state === 'other') {
    return fault(
      `No server answers at PUBLIC_URL, ${publicUrl} (${reason}), and another program answers at ${listenerUrl}, where Foyer would listen.`,
      'Set PORT to a free port, and start Foyer.',
    );
  }
  return hint(
    `Foyer is not running: no server answers at ${publicUrl} (${reason}). Its cookies, its proxy and its own health were not checked.`,
    'Start Foyer (npm start, or npm run serve in production), then run the doctor again.',
  );
}
