/** Describes how two addresses differ, beginning with the host. */
import { isLoopback } from '../../config/safe-address.js';

/** @returns a phrase about the first difference between two addresses that differ */
export function describeDifference(actual: string, expected: string): string {
  const [actualUrl, expectedUrl] = [new URL(actual), new URL(expected)];
  if (actualUrl.hostname !== expectedUrl.hostname) {
    return isLoopback(actualUrl.hostname) && isLoopback(expectedUrl.hostname)
      ? `${actualUrl.hostname} and ${expectedUrl.hostname} are different hosts for a browser, which keeps their cookies apart`
      : `the host is ${actualUrl.hostname}, not ${expectedUrl.hostname}`;
  }
  if (actualUrl.protocol !== expectedUrl.protocol)
    return `it is ${actualUrl.protocol.slice(0, -1)}, not ${expectedUrl.protocol.slice(0, -1)}`;
  if (actualUrl.port !== expectedUrl.port) return `the port is ${toPort(actualUrl)}, not ${toPort(expectedUrl)}`;
  if (actualUrl.pathname.replace(/\/+$/, '') === expectedUrl.pathname) return 'it ends with a slash';
  return `the path is ${actualUrl.pathname}, not ${expectedUrl.pathname}`;
}

function toPort({ port, protocol }: URL): string {
  return port === '' ? (protocol === 'https:' ? '443' : '80') : port;
}
