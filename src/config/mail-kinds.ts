/** Kinds of values for the mail settings: the SMTP server, the sender and the layout. */
import { isIPv6 } from 'node:net';
import type { SenderAddress, SmtpServer } from './value-types.js';
import type { Kind } from './settings-kinds.js';

const DEFAULT_PORT = { tls: 465, starttls: 587, none: 25 };

/** `smtps://user:password@host:465`, `smtp://host:587?starttls=required`, `smtp://localhost:1025`. */
export const smtpServer: Kind<SmtpServer> = {
  label: 'address',
  read(value) {
    if (!/^smtps?:\/\/[^\s\p{Cc}]+$/iu.test(value) || !URL.canParse(value)) {
      return { fault: 'is not an address that begins with smtp:// or smtps://' };
    }
    const url = new URL(value);
    const encryption = toEncryption(url);
    if (encryption === null || !['', '/'].includes(url.pathname) || url.hash !== '') {
      return { fault: 'has a path, parameters or a fragment; only ?starttls=required is allowed, and only with smtp://' };
    }
    const login = toLogin(url);
    if (login === null) return { fault: 'needs a username and a password, percent-encoded, or neither' };
    const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
    if (host === '' || (!isIPv6(host) && !/^[\w.-]+$/.test(host))) return { fault: 'has no valid host name or IP address' };
    const port = url.port === '' ? DEFAULT_PORT[encryption] : Number(url.port);
    return port === 0
      ? { fault: 'has the port 0; set a port from 1 to 65535, or no port for the default' }
      : { value: { host, port, encryption, ...(login ? { login } : {}) } };
  },
};

/** `name@host` or `Name <name@host>`. */
export const mailSender: Kind<SenderAddress> = {
  label: 'address',
  read(value) {
    const [, displayName = '', bracketedAddress] = /^([^<>]*)<([^<>]*)>$/.exec(value) ?? [];
    const name = displayName.trim().replace(/^"([^"]*)"$/, '$1');
    const address = bracketedAddress ?? value;
    const isAddress = /^[\w.+-]{1,64}@[a-z0-9](?:[a-z0-9.-]{0,250}[a-z0-9])?$/i.test(address);
    if (!isAddress || /[\p{Cc}"\\]/u.test(name) || name.length > 100) {
      return { fault: 'is not an address like foyer@example.org or Foyer <foyer@example.org>' };
    }
    return { value: { ...(name === '' ? {} : { name }), address } };
  },
};

function toEncryption({ protocol, search }: URL): SmtpServer['encryption'] | null {
  if (protocol.toLowerCase() === 'smtps:') return search === '' ? 'tls' : null;
  if (search === '?starttls=required') return 'starttls';
  return search === '' ? 'none' : null;
}

/** @returns undefined without username and password; null if one of them is missing or cannot be decoded */
function toLogin({ username, password }: URL): SmtpServer['login'] | null {
  if (username === '' && password === '') return undefined;
  if (username === '' || password === '') return null;
  try {
    return { user: decodeURIComponent(username), password: decodeURIComponent(password) };
  } catch {
    return null;
  }
}

/** The placeholders of the layout, written as `{{name}}`. Their values are escaped, except `header` and `content`, which are markup. */
const LAYOUT_VALUES = ['language', 'direction', 'subject', 'app', 'header', 'content', 'footer', 'accent', 'on_accent'] as const;
export type LayoutValue = (typeof LAYOUT_VALUES)[number];

/** HTML around the content of mails. */
export const mailLayout: Kind<string> = {
  label: 'HTML',
  read(value) {
    const names = [...value.matchAll(/\{\{([^{}]*)\}\}/g)].map(([, name = '']) => name);
    const unknownName = names.find((name) => !(LAYOUT_VALUES as readonly string[]).includes(name));
    const placeholders = LAYOUT_VALUES.map((name) => `{{${name}}}`).join(', ');
    const miscountedNames = ['content', 'footer'].filter(
      (name) => names.filter((placeholder) => placeholder === name).length !== 1,
    );
    const faults = [
      ...(unknownName === undefined
        ? []
        : [`has the unknown placeholder {{${unknownName}}}; the placeholders are ${placeholders}`]),
      ...miscountedNames.map((name) => `needs {{${name}}} exactly once`),
      ...(/<(script|iframe|form)\b/i.test(value) ? ['has a script, a frame or a form, which mail clients do not show'] : []),
    ];
    return faults.length > 0 ? { fault: faults.join('; ') } : { value };
  },
};
