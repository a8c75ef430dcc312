/**
 * Checks whether operators reach the console and can sign in: its address, its client at Hydra, the connections between Foyer and
 * Hydra, the required strength of a sign-in, and whether an account has a right.
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
import { isListener, toListenerUrl } from '../gateway-probe.js';

interface ConsoleParts {
  settings: NonNullable<Config['console']>;
  examination: Examination;
  /** Origin at which this machine reaches the port of the operator API. */
  listenerUrl: string;
}

/** Error codes of Node.js for a certificate that is not accepted, or a server that does not speak TLS. */
const TLS_REASON = /^(CERT_|ERR_TLS_|ERR_SSL_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|EPROTO)/;

export const consoleCheck: Check = {
  title: 'Console',
  async run(examination) {
    const { console: settings, operator } = examination.config;
    if (settings === undefined) return [];
    const parts = { settings, examination, listenerUrl: toListenerUrl(operator, operator.tls ? 'https' : 'http') };
    const [probe, listener] = await Promise.all([
      probeConsole(settings.url, settings.url),
      probeConsole(parts.listenerUrl, settings.url),
    ]);
    if (probe.state === 'silent' && listener.state === 'silent' && !(await examination.isRunning())) {
      return [hint('The console runs only while Foyer runs.', 'Start Foyer, then run the doctor again.')];
    }
    return [
      ...checkAddress(parts, probe, listener),
      ...checkProxies(parts, probe),
      ...(await checkBackChannel(parts)),
      ...(await checkClient(parts)),
      ...(await checkPublicPort(parts)),
      ...checkStrength(parts),
      ...(await checkRights(parts)),
    ];
  },
};

function checkAddress({ settings, listenerUrl }: ConsoleParts, probe: ConsoleProbe, listener: ConsoleProbe): Finding[] {
  const { url } = settings;
  const fix = `Configure the proxy at ${url} to forward every path to the operator API (OPERATOR_HOST, OPERATOR_PORT; from this machine ${listenerUrl}).`;
  switch (probe.state) {
    case 'console':
      return probe.hasApi
        ? [ok(`The console answers at ${url}${CONSOLE_PATHS.root}.`)]
        : [fault(`${url} leads to the console, but not to the operator API, so its pages stay empty.`, fix)];
    case 'off':
      return [
        fault(
          `The operator API answers at CONSOLE_URL, ${url}, but the running Foyer has no console.`,
          'Set CONSOLE_URL, and restart Foyer.',
        ),
      ];
    case 'other-address':
      return [
        fault(
          `The running Foyer has a different CONSOLE_URL, not ${url}, so it refuses the calls of the pages at this address.`,
          'Set CONSOLE_URL to the address that operators use, with scheme and port, and restart Foyer; or run the doctor with the environment of the gateway.',
        ),
      ];
    case 'unknown-host':
      return [
        fault(
          `The operator API at CONSOLE_URL, ${url}, refuses the host name of the request (status 421): the proxy sends a different host name, or the running Foyer has a different CONSOLE_URL.`,
          'Configure the proxy to pass on the host name (nginx: proxy_set_header Host $host), or add the name that it sends to OPERATOR_HOST_NAMES and restart Foyer.',
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
      'Install a certificate for this host name that browsers accept. If your own authority signed it, set NODE_EXTRA_CA_CERTS to the certificate of the authority for the doctor.',
    );
  }
  const note = isListening ? ', but the operator API answers on this machine' : '';
  return fault(`No server answers at CONSOLE_URL, ${url} (${reason})${note}.`, fix);
}

/** With too few trusted proxies, all operators seem to come from the proxy; with too many, their addresses can be forged. */
function checkProxies({ settings, examination, listenerUrl }: ConsoleParts, probe: ConsoleProbe): Finding[] {
  const { trustProxyHops: hops, tls } = examination.config.operator;
  const isDirect = isListener(settings.url, listenerUrl);
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
      `A proxy is in front of the console (operators use ${settings.url}, the operator API listens at ${listenerUrl}), but OPERATOR_TRUST_PROXY is 0: the audit log records the address of the proxy instead of the addresses of operators, and wrong tokens of all operators are counted together.`,
      'Set OPERATOR_TRUST_PROXY to the number of proxies in front of the operator API.',
    ),
  ];
}

/** Checks CONSOLE_BACKCHANNEL_URL. Only Hydra calls this address, so this machine need not reach it. */
async function checkBackChannel({ settings: { url, backChannelUrl } }: ConsoleParts): Promise<Finding[]> {
  if (backChannelUrl === url) return [];
  const probe = await probeConsole(backChannelUrl, url);
  const fix = 'Set CONSOLE_BACKCHANNEL_URL to an address at which Hydra reaches the operator API.';
  const consequence = 'a session of the console does not end when the session of the person ends only at Hydra';
  if (probe.state === 'silent') {
    const what = `No server answers at CONSOLE_BACKCHANNEL_URL, ${backChannelUrl} (${probe.reason}), from this machine. If Hydra does not reach it either, ${consequence}.`;
    return [hint(what, `${fix} Ignore this if only this machine cannot reach it.`)];
  }
  if (probe.state === 'gateway' || probe.state === 'other')
    return [fault(`CONSOLE_BACKCHANNEL_URL, ${backChannelUrl}, does not lead to the operator API: ${consequence}.`, fix)];
  return [];
}

async function checkClient({ settings, examination }: ConsoleParts): Promise<Finding[]> {
  if ((await examination.upstream()).inspection.admin.state !== 'as-expected') return [];
  const client = await findClientAddresses(examination.config.hydra, CONSOLE_CLIENT_ID).catch((error: unknown) => {
    if (error instanceof UpstreamError) return undefined;
    throw error;
  });
  if (client === undefined)
    return [hint('Hydra did not answer the request for the client of the console.', 'Run the doctor again.')];
  if (client === null) {
    return [
      hint(
        `The client ${CONSOLE_CLIENT_ID} is not registered at Hydra yet.`,
        'Sign in to the console: Foyer registers the client at the first sign-in after it starts.',
      ),
    ];
  }
  const redirectUri = settings.url + CONSOLE_PATHS.callback;
  const logoutUri = settings.backChannelUrl + CONSOLE_PATHS.backChannelLogout;
  const fix =
    'Restart Foyer and sign in to the console once, which registers the client again. If the fault returns, another Foyer with another CONSOLE_URL uses this Hydra: only one of them can have a console.';
  const findings: Finding[] = [];
  if (!client.redirectUris.includes(redirectUri)) {
    const addresses = client.redirectUris.join(', ') || 'no address';
    findings.push(fault(`The client ${CONSOLE_CLIENT_ID} at Hydra redirects to ${addresses}, not to ${redirectUri}.`, fix));
  }
  if (client.backChannelLogoutUri !== logoutUri) {
    const address = client.backChannelLogoutUri || 'no address';
    const what = `Hydra reports the end of sessions to the console at ${address}, not at ${logoutUri} (client ${CONSOLE_CLIENT_ID}).`;
    findings.push(fault(what, fix));
  }
  return findings.length > 0
    ? findings
    : [ok(`The client ${CONSOLE_CLIENT_ID} is registered at Hydra with the addresses of the console.`)];
}

/** Checks the public port of Hydra, at which Foyer exchanges the code of a sign-in and reads the keys of Hydra. */
async function checkPublicPort({ examination }: ConsoleParts): Promise<Finding[]> {
  const { hydra } = examination.config;
  const { internalUrl, publicUrl } = hydra;
  const publicApi =
    internalUrl === undefined
      ? (await examination.upstream()).inspection.public
      : await inspectPublicApi(internalUrl, hydra.timeoutMs);
  const address = internalUrl === undefined ? `HYDRA_PUBLIC_URL, ${publicUrl}` : `HYDRA_INTERNAL_URL, ${internalUrl}`;
  const fix =
    "Set HYDRA_INTERNAL_URL to an address at which this machine reaches Hydra's public port (SERVE_PUBLIC_PORT, 4444 by default).";
  if (publicApi.state === 'silent')
    return [fault(`Foyer does not reach Hydra at ${address} (${publicApi.reason}), so nobody can sign in to the console.`, fix)];
  if (publicApi.state === 'other') {
    const what = `The server at ${address}, is not the public API of Hydra (status ${publicApi.status}), so nobody can sign in to the console.`;
    return [fault(what, fix)];
  }
  // The check of Hydra compares the issuer at HYDRA_PUBLIC_URL.
  if (internalUrl === undefined || publicApi.issuer.replace(/\/+$/, '') === publicUrl) return [];
  return [
    fault(
      `The Hydra at ${address}, has the issuer ${publicApi.issuer}, not HYDRA_PUBLIC_URL, ${publicUrl}, so nobody can sign in to the console.`,
      'Set HYDRA_INTERNAL_URL to an address of the same Hydra, or remove it.',
    ),
  ];
}

function checkStrength({ settings: { acr }, examination: { config } }: ConsoleParts): Finding[] {
  if (!isAtLeast(acr, ACR.secondFactor)) {
    return [
      hint(
        `CONSOLE_ACR is ${acr}: anybody who knows the password of an operator can sign in to the console.`,
        `Remove CONSOLE_ACR, whose default requires a second factor (${ACR.secondFactor}).`,
      ),
    ];
  }
  const needsKey = isAtLeast(acr, ACR.key);
  const isEnough = ({ amr }: { amr: string }): boolean => !needsKey || amr === 'hwk';
  if (findWorkingFactors(config).some(isEnough)) return [];
  const requirement = needsKey ? 'a security key or passkey' : 'a second factor';
  const advice = needsKey ? 'Add fido2 to MFA_FACTORS' : 'Add a kind of second factor to MFA_FACTORS';
  if (findWorkingKinds(config).some(isEnough)) {
    const what = `The console requires ${requirement} (CONSOLE_ACR), and people cannot set one up during a sign-in: operators need a passkey beforehand.`;
    return [hint(what, `${advice}, or let operators set up a passkey in the account area first.`)];
  }
  const what = `The console requires ${requirement} (CONSOLE_ACR), but people cannot set one up, so nobody can sign in to the console.`;
  return [fault(what, `${advice}, or set CONSOLE_ACR to a weaker value.`)];
}

async function checkRights({ examination }: ConsoleParts): Promise<Finding[]> {
  const { inspection } = await examination.database();
  if (inspection.state !== 'open' || inspection.operators === null) return [];
  const { adminCount, otherCount } = inspection.operators;
  const { rules } = examination.config.operator;
  if (adminCount > 0 || rules.some(({ right }) => right === 'admin')) return [];
  const fix = 'Run: foyer operator grant USERNAME admin.';
  // An account with a right by a rule can sign in.
  if (otherCount > 0 || rules.length > 0)
    return [hint('No active account has been granted the right "admin": nobody in the console can grant rights.', fix)];
  return [hint('No active account has been granted a right: nobody can sign in to the console.', fix)];
}
