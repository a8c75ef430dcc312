/** Describes how two addresses differ, beginning with the host. */
const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/;

/** @returns a phrase about the address that was found */
export function describeDifference(found: string, wanted: string): string {
  const [one, other] = [new URL(found), new URL(wanted)];
  if (one.hostname !== other.hostname) {
    return LOOPBACK.test(one.hostname) && LOOPBACK.test(other.hostname)
      ? `${one.hostname} and ${other.hostname} are different hosts for a browser, which keeps their cookies apart`
      : `the host is ${one.hostname}, not ${other.hostname}`;
  }
  if (one.protocol !== other.protocol) return `it is ${one.protocol.slice(0, -1)}, not ${other.protocol.slice(0, -1)}`;
  if (one.port !== other.port) return `the port is ${toPort(one)}, not ${toPort(other)}`;
  if (one.pathname.replace(/\/+$/, '') === other.pathname) return 'it ends with a slash';
  return `the path is ${one.pathname}, not ${other.pathname}`;
}

function toPort({ port, protocol }: URL): string {
  return port === '' ? (protocol === 'https:' ? '443' : '80') : port;
}
