/** Determines the network of an IP address. Failed attempts are counted by network, and notices show the network. */
import { isIPv4, isIPv6 } from 'node:net';

const MAPPED_IPV4 = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;

/**
 * The range that is counted as one subscriber: an IPv4 address, or a /64 of IPv6, the least that a subscriber gets (RFC 6177). An
 * attacker there can use a new address for each attempt.
 */
export function toNetwork(address: string): string {
  const addressWithoutZone = address.split('%', 1)[0] ?? '';
  const mappedAddress = MAPPED_IPV4.exec(addressWithoutZone)?.[1];
  if (mappedAddress) return mappedAddress;
  if (!isIPv6(addressWithoutZone)) return addressWithoutZone;
  return `${toGroups(addressWithoutZone).slice(0, 4).join(':')}::/64`;
}

/**
 * Shortens an address, which may be that of a stranger, to the network of an internet provider or company (/24, or /48 of IPv6), so that
 * it identifies nobody. @returns an empty text if the address is not an IP address
 */
export function shortenNetwork(address: string): string {
  const network = toNetwork(address);
  if (network.includes('/')) return `${toGroups(network.replace('/64', '')).slice(0, 3).join(':')}::/48`;
  return isIPv4(network) ? network.replace(/\.\d+$/, '.0/24') : '';
}

/** The last two groups of an IPv6 address, written as an IPv4 address (RFC 4291, section 2.2). */
const IPV4_GROUPS = /(\d+\.){3}\d+$/;

/** @returns the eight groups of an IPv6 address */
function toGroups(address: string): string[] {
  const hexAddress = address.toLowerCase().replace(IPV4_GROUPS, (part) => {
    const hex = Buffer.from(part.split('.').map(Number)).toString('hex');
    return `${hex.slice(0, 4)}:${hex.slice(4)}`;
  });
  const [head = '', tail] = hexAddress.split('::', 2);
  const leadingGroups = head === '' ? [] : head.split(':');
  const trailingGroups = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = tail === undefined ? [] : Array<string>(Math.max(8 - leadingGroups.length - trailingGroups.length, 0)).fill('0');
  return [...leadingGroups, ...zeros, ...trailingGroups].map((group) => Number.parseInt(group, 16).toString(16));
}

/** Shortens an address for display: people recognise their own network, and others learn only the network. */
export function toShownNetwork(address: string): string {
  const network = toNetwork(address);
  return network.includes('/') ? network.replace('::/64', ':x') : network.replace(/\.\d+$/, '.x');
}
