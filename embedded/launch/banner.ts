/** The text on the terminal when everything is ready: addresses and demo accounts. */
import { TRIES, type Try } from '../demo-app/tries.js';
import type { DemoAccount } from './demo-account.js';

export interface Addresses {
  gateway: string;
  operator: string;
  /** Present if the embedded parts were started. */
  embedded?: {
    demoApp: string;
    mailbox: string;
    smtp: string;
    upstream: string;
    admin: string;
    /** Absent if real providers are configured. */
    providers?: string;
    registration: string;
    /** Absent if the configured user sources do not include the example user source. */
    people?: { url: string; username: string; password: string };
    account: DemoAccount;
    /** Absent if there is no console. */
    console?: { url: string; operator: DemoAccount };
  };
  /** Public address of the configured Hydra; present if the embedded parts were not started. */
  upstream?: string;
  /** Absent if the data is in the database of `DATABASE_URL`. */
  dataDir?: string;
  seconds: number;
}

type Paint = (text: string) => string;
type Line = readonly [label: string, value: string, remark?: string];

/** @param command the command line of Foyer */
const REMARKS: Readonly<Record<DemoAccount['state'], (command: string) => string>> = {
  ready: () => '',
  changed: (command) => `(changed; ${command} account list shows the usernames, account password-reset USERNAME creates a link)`,
  refused: (command) => `(not allowed by the password settings; ${command} account password-reset USERNAME creates a link)`,
  disabled: () => '(the account is disabled)',
};

const OPERATOR_REMARKS: Readonly<Record<Exclude<DemoAccount['state'], 'ready'>, string>> = {
  changed: 'the username or the password was changed',
  refused: 'the password settings do not allow the demo password',
  disabled: 'the account is disabled',
};

const THINGS_TO_TRY: Readonly<Record<Try, string>> = {
  'sign-in': 'Sign in',
  'second-factor': 'Sign in with a second factor',
  devices: 'Find a device and sign it out',
  television: 'Sign in on a television',
  password: 'Request a new password',
};

/** The people who can be chosen at the demo providers, with the numbers of their connected accounts. */
export const PROVIDERS_REMARK = 'Google, Microsoft, Apple: Maria has one account, Jonas two, Nora none';
export const REGISTRATION_REMARK = 'creates accounts; opens with "Create an account" in the app';
const COMMAND = 'npm run foyer --';
const DEFAULT_OPERATOR_PORT = '3001';

/** @param hasColours whether the terminal shows colours */
export function buildBanner(addresses: Addresses, hasColours: boolean): string {
  const emphasize = buildPaint(hasColours, 1);
  const mute = buildPaint(hasColours, 2);
  const { embedded } = addresses;
  const firstLines = embedded
    ? [
        `Open ${emphasize(embedded.demoApp)}`,
        '',
        ...padLines(buildAccountLines(embedded.account, buildCommand(addresses), emphasize), mute),
        '',
        ...buildTryLines(embedded.demoApp, mute),
      ]
    : [`Foyer is ready at ${emphasize(addresses.gateway)}`];
  const lines = [...firstLines, '', ...padLines(toOtherLines(addresses), mute), '', mute(buildLastLine(addresses))];
  return ['', ...lines.map((line) => (line === '' ? '' : `  ${line}`)), '', ''].join('\n');
}

/** @param demoApp address of the demo app */
export function buildTryLines(demoApp: string, mute: Paint = (text) => text): string[] {
  const lines = TRIES.map((name): Line => [THINGS_TO_TRY[name], `${demoApp}/try/${name}`]);
  return ['Try these five things:', ...padLines(lines, mute)];
}

/** @returns the command line of Foyer, with the port at which it finds the operator API if that is not the default */
function buildCommand({ operator }: Addresses): string {
  const { port, protocol } = new URL(operator);
  if (port === DEFAULT_OPERATOR_PORT) return COMMAND;
  return `OPERATOR_PORT=${port || (protocol === 'https:' ? '443' : '80')} ${COMMAND}`;
}

function buildAccountLines({ username, password, state }: DemoAccount, command: string, emphasize: Paint): Line[] {
  const passwordText = state === 'ready' ? emphasize(password) : REMARKS[state](command);
  return [
    ['Account', emphasize(username)],
    ['Password', passwordText],
  ];
}

function toOtherLines(addresses: Addresses): Line[] {
  const { gateway, operator, embedded, upstream } = addresses;
  if (!embedded) {
    return [...(upstream === undefined ? [] : [['Hydra', upstream] as const]), ['Operator API', operator]];
  }
  return [
    ['Sign-in pages', gateway],
    ['Mailbox', embedded.mailbox, embedded.smtp],
    ['Upstream', embedded.upstream, `admin ${embedded.admin}`],
    ...(embedded.providers === undefined ? [] : [['Providers', embedded.providers, PROVIDERS_REMARK] as const]),
    ['Registration', embedded.registration, REGISTRATION_REMARK],
    ...(embedded.people === undefined ? [] : [['People', embedded.people.url, describePerson(embedded.people)] as const]),
    // Only one of the two is listed: they have the same port, and the banner must fit a terminal of 24 lines.
    embedded.console === undefined
      ? ['Operator API', operator, `${buildCommand(addresses)} account list`]
      : ['Console', embedded.console.url, describeOperator(embedded.console.operator)],
  ];
}

function describeOperator({ username, password, state }: DemoAccount): string {
  return state === 'ready' ? `${username}, ${password}` : `${username} (${OPERATOR_REMARKS[state]})`;
}

function describePerson({ username, password }: { username: string; password: string }): string {
  return `${username}, ${password}: a sign-in creates the account`;
}

function buildLastLine(addresses: Addresses): string {
  const { dataDir, seconds, embedded } = addresses;
  const command = embedded?.console === undefined ? '' : `Command line: ${buildCommand(addresses)} account list. `;
  const dataText = dataDir === undefined ? '' : `Data in ${dataDir}. `;
  return `Ready in ${seconds.toFixed(1)} s. ${dataText}${command}Ctrl+C stops everything.`;
}

/** Pads before colouring, because escape sequences add characters but no width. */
function padLines(lines: readonly Line[], mute: Paint): string[] {
  const labelWidth = Math.max(...lines.map(([label]) => label.length));
  const valueWidth = Math.max(...lines.map(([, value]) => value.length));
  return lines.map(([label, value, remark]) => {
    const labelText = `${mute(label.padEnd(labelWidth))}  `;
    return remark === undefined ? labelText + value : `${labelText}${value.padEnd(valueWidth)}  ${mute(remark)}`;
  });
}

function buildPaint(hasColours: boolean, code: number): Paint {
  return (text) => (hasColours ? `\u001b[${code}m${text}\u001b[0m` : text);
}
