/** Describes how two addresses differ, beginning with the host. */
const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/;

/** @returns a phrase about the address that was found */
export function describeDifference(found: string, wanted: string): string {
  const [foundUrl, wantedUrl] = [new URL(found), new URL(wanted)];
  if (foundUrl.hostname !== wantedUrl.hostname) {
    return LOOPBACK.test(foundUrl.hostname) && LOOPBACK.test(wantedUrl.hostname)
      ? `${foundUrl.hostname} and ${wantedUrl.hostname} are different hosts for a browser, which keeps their cookies apart`
      : `the host is ${foundUrl.hostname}, not ${wantedUrl.hostname}`;
  }
  if (foundUrl.protocol !== wantedUrl.protocol)
    return `it is ${foundUrl.protocol.slice(0, -1)}, not ${wantedUrl.protocol.slice(0, -1)}`;
  if (foundUrl.port !== wantedUrl.port) return `the port is ${toPort(foundUrl)}, not ${toPort(wantedUrl)}`;
  if (foundUrl.pathname.replace(/\/+$/, '') === wantedUrl.pathname) return 'it ends with a slash';
  return `the path is ${foundUrl.pathname}, not ${wantedUrl.pathname}`;
}

function toPort({ port, protocol }: URL): string {
  return port === '' ? (protocol === 'https:' ? '443' : '80') : port;
}
