/**
 * Checks whether operators reach the console and can sign in: its address, its client at Hydra, the way from Foyer to Hydra and
 * back, the strength that a sign-in needs, and whether somebody has a right.
 */
import type { Config } from '../../../config/config.js';
import { ACR } from '../../../contract/authentication.js';
import { UpstreamError } from '../../../hydra/hydra.errors.js';
import { inspectPublicApi } from '../../../hydra/inspection/inspect-upstream.js';
import { findClientAddresses } from '../../../hydra/inspection/registered-clients.js';
import { isAtLeast } from '../../../mfa/policy.js';
import { findWorkingFactors, findWorkingKinds } from '../../../mfa/registry.js';
import { CONSOLE_CLIENT_ID } from '../../console/console-client.js';
import { CONSOLE_PATHS } from '../../console/console-paths.js';
import type { Check } from '../check.js';
import { probeConsole, type ConsoleProbe } from '../console-probe.js';
import type { Examination } from '../examination.js';
import { fault, hint, ok, type Finding } from '../finding.js';
import { toListenerUrl } from '../front.js';

interface ConsoleParts {
  settings: NonNullable<Config['console']>;
  examined: Examination;
  /** Origin at which this machine reaches the port of the operator API. */
  listenerUrl: string;
}

/** Error codes of Node.js for a certificate that is not accepted, or a server that does not speak TLS. */
const TLS_REASON = /^(CERT_|ERR_TLS_|ERR_SSL_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|EPROTO)/;

export const consoleCheck: Check = {
  title: 'Console',
  async run(examined) {
    const { console: settings, operator } = examined.config;
    if (settings === undefined) return [];
    const parts = { settings, examined, listenerUrl: toListenerUrl(operator, operator.tls ? 'https' : 'http') };
    const [probe, listener] = await Promise.all([
      probeConsole(settings.url, settings.url),
      probeConsole(parts.listenerUrl, settings.url),
    ]);
    if (probe.state === 'silent' && listener.state === 'silent' && !(await examined.isRunning())) {
      return [hint('The console runs only while Foyer runs.', 'Start Foyer, then run the doctor again.')];
    }
    return [
      ...addressFindings(parts, probe, listener),
      ...proxyFindings(parts, probe),
      ...(await backChannelFindings(parts)),
      ...(await clientFindings(parts)),
      ...(await hydraFindings(parts)),
      ...strengthFindings(parts),
      ...(await rightFindings(parts)),
    ];
  },
};

function addressFindings({ settings, listenerUrl }: ConsoleParts, probe: ConsoleProbe, listener: ConsoleProbe): Finding[] {
  const { url } = settings;
  const fix = `Let the proxy at ${url} forward every path to the operator API (OPERATOR_HOST, OPERATOR_PORT; from this machine ${listenerUrl}).`;
  switch (probe.state) {
    case 'console':
      return probe.hasApi
        ? [ok(`The console answers at ${url}${CONSOLE_PATHS.root}.`)]
        : [fault(`${url} leads to the console, but not to the operator API, so its pages stay empty.`, fix)];
    case 'off':
      return [
        fault(
          `The operator API answers at CONSOLE_URL, ${url}, but the running Foyer has no console.`,
          'Start Foyer again with CONSOLE_URL.',
        ),
      ];
    case 'other-address':
      return [
        fault(
          `The running Foyer has another CONSOLE_URL than ${url}, so it refuses the calls of the pages at this address.`,
          'Set CONSOLE_URL to the address that operators use, with scheme and port, and start Foyer again; or run the doctor with the environment of the gateway.',
        ),
      ];
    case 'unknown-host':
      return [
        fault(
          `The operator API at CONSOLE_URL, ${url}, refuses the host name of the request (status 421): the proxy sends another one, or the running Foyer has another CONSOLE_URL.`,
          'Let the proxy pass the host name on (nginx: proxy_set_header Host $host), or add the name that it sends to OPERATOR_HOST_NAMES; then start Foyer again.',
        ),
      ];
    case 'gateway':
      return [fault(`CONSOLE_URL, ${url}, leads to the sign-in pages, not to the operator API.`, fix)];
    case 'other':
      return [fault(`The server at CONSOLE_URL, ${url}, is not the console (status ${probe.status}).`, fix)];
    case 'silent':
      return [explainSilence(url, probe.reason, { fix, isListening: listener.state !== 'silent' })];
  }
}

/** @param isListening whether the operator API answers on this machine */
function explainSilence(url: string, reason: string, { fix, isListening }: { fix: string; isListening: boolean }): Finding {
  if (TLS_REASON.test(reason)) {
    return fault(
      `The connection to CONSOLE_URL, ${url}, is not secure (${reason}).`,
      'Give the server there a certificate for this host name that browsers accept. If an authority of your own has signed it, name its certificate in NODE_EXTRA_CA_CERTS for the doctor.',
    );
  }
  const answers = isListening ? ', but the operator API answers on this machine' : '';
  return fault(`No server answers at CONSOLE_URL, ${url} (${reason})${answers}.`, fix);
}

/** Without trust, all operators seem to come from the proxy; with too much, their addresses can be forged. */
function proxyFindings({ settings, examined, listenerUrl }: ConsoleParts, probe: ConsoleProbe): Finding[] {
  const { trustProxyHops: hops, tls } = examined.config.operator;
  const isDirect = settings.url === listenerUrl;
  if (hops > 0 && isDirect && probe.state === 'console') {
    return [
      fault(
        `OPERATOR_TRUST_PROXY is ${hops}, but no proxy is in front of the operator API: anybody can forge the address in its audit events.`,
        'Set OPERATOR_TRUST_PROXY to 0, or CONSOLE_URL to the address of the proxy.',
      ),
    ];
  }
  if (hops > 0 || isDirect || tls !== undefined) return [];
  return [
    hint(
      `A proxy is in front of the console (operators use ${settings.url}, the operator API listens at ${listenerUrl}), but OPERATOR_TRUST_PROXY is 0: the audit log has the address of the proxy instead of the addresses of operators, and the wrong tokens of everybody are counted together.`,
      'Set OPERATOR_TRUST_PROXY to the number of proxies in front of the operator API.',
    ),
  ];
}

/** Only Hydra calls this address, so this machine need not reach it. */
async function backChannelFindings({ settings: { url, backChannelUrl } }: ConsoleParts): Promise<Finding[]> {
  if (backChannelUrl === url) return [];
  const probe = await probeConsole(backChannelUrl, url);
  const fix = `Set CONSOLE_BACKCHANNEL_URL to an address at which Hydra reaches the operator API.`;
  const consequence = 'a session of the console does not end when the person signs out at Foyer';
  if (probe.state === 'silent') {
    const what = `No server answers at CONSOLE_BACKCHANNEL_URL, ${backChannelUrl} (${probe.reason}), from this machine. If Hydra does not reach it either, ${consequence}.`;
    return [hint(what, `${fix} Ignore this if only this machine cannot reach it.`)];
  }
  if (probe.state === 'gateway' || probe.state === 'other')
    return [fault(`CONSOLE_BACKCHANNEL_URL, ${backChannelUrl}, does not lead to the operator API: ${consequence}.`, fix)];
  return [];
}

async function clientFindings({ settings, examined }: ConsoleParts): Promise<Finding[]> {
  if ((await examined.upstream()).seen.admin.state !== 'as-expected') return [];
  const client = await findClientAddresses(examined.config.hydra, CONSOLE_CLIENT_ID).catch((error: unknown) => {
    if (error instanceof UpstreamError) return undefined;
    throw error;
  });
  if (client === undefined)
    return [hint('Hydra did not answer the request for the client of the console.', 'Run the doctor again.')];
  if (client === null) {
    return [
      hint(
        `The client ${CONSOLE_CLIENT_ID} is not registered at Hydra yet.`,
        'Sign in to the console: Foyer registers the client at the first sign-in after its start.',
      ),
    ];
  }
  const redirectUri = settings.url + CONSOLE_PATHS.callback;
  const logoutUri = settings.backChannelUrl + CONSOLE_PATHS.backChannelLogout;
  const fix =
    'Start Foyer again and sign in to the console once, which registers the client anew. If it becomes wrong again, another Foyer with another CONSOLE_URL uses this Hydra: only one of them can have a console.';
  const findings: Finding[] = [];
  if (!client.redirectUris.includes(redirectUri)) {
    const found = client.redirectUris.join(', ') || 'nothing';
    findings.push(fault(`The client ${CONSOLE_CLIENT_ID} at Hydra returns to ${found}, not to ${redirectUri}.`, fix));
  }
  if (client.backChannelLogoutUri !== logoutUri) {
    const found = client.backChannelLogoutUri || 'no address';
    const what = `Hydra reports the end of sessions to the console at ${found}, not at ${logoutUri} (client ${CONSOLE_CLIENT_ID}).`;
    findings.push(fault(what, fix));
  }
  return findings.length > 0
    ? findings
    : [ok(`The client ${CONSOLE_CLIENT_ID} is registered at Hydra with the addresses of the console.`)];
}

/** Foyer itself exchanges the code of a sign-in and reads the keys of Hydra, at the public port. */
async function hydraFindings({ examined }: ConsoleParts): Promise<Finding[]> {
  const { hydra } = examined.config;
  const { internalUrl, publicUrl } = hydra;
  const seen =
    internalUrl === undefined ? (await examined.upstream()).seen.public : await inspectPublicApi(internalUrl, hydra.timeoutMs);
  const address = internalUrl === undefined ? `HYDRA_PUBLIC_URL, ${publicUrl}` : `HYDRA_INTERNAL_URL, ${internalUrl}`;
  const fix =
    "Set HYDRA_INTERNAL_URL to an address at which this machine reaches Hydra's public port (SERVE_PUBLIC_PORT, 4444 by default).";
  if (seen.state === 'silent')
    return [fault(`Foyer does not reach Hydra at ${address} (${seen.reason}), so nobody can sign in to the console.`, fix)];
  if (seen.state === 'other') {
    const what = `The server at ${address}, is not the public API of Hydra (status ${seen.status}), so nobody can sign in to the console.`;
    return [fault(what, fix)];
  }
  // The check of Hydra compares the issuer at HYDRA_PUBLIC_URL.
  if (internalUrl === undefined || seen.issuer.replace(/\/+$/, '') === publicUrl) return [];
  return [
    fault(
      `The Hydra at ${address}, has the issuer ${seen.issuer}, not HYDRA_PUBLIC_URL, ${publicUrl}, so nobody can sign in to the console.`,
      'Set HYDRA_INTERNAL_URL to an address of the same Hydra, or remove it.',
    ),
  ];
}

function strengthFindings({ settings: { acr }, examined: { config } }: ConsoleParts): Finding[] {
  if (!isAtLeast(acr, ACR.secondFactor)) {
    return [
      hint(
        `CONSOLE_ACR is ${acr}: whoever knows the password of an operator can sign in to the console.`,
        `Remove CONSOLE_ACR, whose default requires a second factor (${ACR.secondFactor}).`,
      ),
    ];
  }
  const needsKey = isAtLeast(acr, ACR.key);
  const isEnough = ({ amr }: { amr: string }): boolean => !needsKey || amr === 'hwk';
  if (findWorkingFactors(config).some(isEnough)) return [];
  const wanted = needsKey ? 'a security key or passkey' : 'a second factor';
  const settingsToChange = needsKey ? 'Add fido2 to MFA_FACTORS' : 'Add a kind of second factor to MFA_FACTORS';
  if (findWorkingKinds(config).some(isEnough)) {
    const what = `The console needs ${wanted} (CONSOLE_ACR), and people cannot set one up during a sign-in: operators need a passkey beforehand.`;
    return [hint(what, `${settingsToChange}, or let operators set a passkey up in the account area first.`)];
  }
  const what = `The console needs ${wanted} (CONSOLE_ACR), but people cannot set one up, so nobody can sign in to the console.`;
  return [fault(what, `${settingsToChange}, or set CONSOLE_ACR to a weaker value.`)];
}

async function rightFindings({ examined }: ConsoleParts): Promise<Finding[]> {
  const { seen } = await examined.database();
  if (seen.state !== 'open' || seen.operators === null) return [];
  const { admins, others } = seen.operators;
  if (admins > 0 || examined.config.operator.rules.some(({ right }) => right === 'admin')) return [];
  const fix = 'Run: foyer operator grant USERNAME admin.';
  if (others > 0)
    return [hint('No active account has the right "admin" by a grant: nobody in the console can grant rights.', fix)];
  return [hint('No active account has a right by a grant: the console lets nobody in.', fix)];
}
