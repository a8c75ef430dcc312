/**
 * A `fetch` that accepts only the certificate of OPERATOR_TLS_CERT, at any address. The command line in the pod of a gateway then
 * works even if the certificate has no matching name and no trusted authority.
 */
import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { request as send, type ClientRequest, type IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { connect, type TLSSocket } from 'node:tls';

/** As long as the global `fetch` waits for a server that sends nothing. */
const SILENCE_MS = 300_000;

/**
 * @param certificate in PEM form
 * @returns a function that rejects if the request fails or the server sends nothing for `silenceMs`, and does not follow redirects
 */
export function buildPinnedFetch(certificate: string, silenceMs = SILENCE_MS): (request: Request) => Promise<Response> {
  const { fingerprint256 } = new X509Certificate(certificate);
  return async (request) => {
    const { method, url, headers, body, signal } = request;
    const socket = await connectTo(new URL(url), fingerprint256, AbortSignal.any([signal, AbortSignal.timeout(silenceMs)]));
    const call = send(url.replace(/^https:/, 'http:'), {
      method,
      headers: Object.fromEntries(headers),
      createConnection: () => socket,
      signal,
    });
    const answer = waitForResponse(call);
    endWhenSilent(socket, silenceMs, answer);
    const [response] = await Promise.all([answer, pipeline(body === null ? [] : Readable.fromWeb(body as never), call)]);
    const { statusCode = 0 } = response;
    const content = [204, 304].includes(statusCode) ? null : (Readable.toWeb(response) as ReadableStream);
    return new Response(content, { status: statusCode, headers: response.headers as Record<string, string> });
  };
}

function waitForResponse(call: ClientRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    call.on('error', reject);
    call.on('response', resolve);
    // After `101 Switching Protocols`, Node emits neither an error nor a response.
    call.on('close', () => reject(new Error('the connection was closed')));
  });
}

function endWhenSilent(socket: TLSSocket, silenceMs: number, answer: Promise<IncomingMessage>): void {
  let isReaderBehind = (): boolean => false;
  answer.then(
    (response) => (isReaderBehind = () => response.isPaused()),
    () => undefined,
  );
  socket.setTimeout(silenceMs);
  socket.on('timeout', () => {
    // While the reader of an export pauses, for example in a pager, nothing is read from the server.
    if (isReaderBehind()) socket.setTimeout(silenceMs);
    else socket.destroy(new Error('no answer in time'));
  });
}

/** @throws Error if the connection fails, or if the server presents another certificate; no request has been sent in that case */
async function connectTo({ hostname, port }: URL, fingerprint256: string, signal: AbortSignal): Promise<TLSSocket> {
  const host = hostname.replace(/^\[|\]$/g, '');
  const socket = connect({ host, port: Number(port || 443), rejectUnauthorized: false });
  try {
    await once(socket, 'secureConnect', { signal });
  } catch (error) {
    socket.destroy();
    throw error;
  }
  if (socket.getPeerX509Certificate()?.fingerprint256 === fingerprint256) return socket;
  socket.destroy();
  throw new Error('its certificate is not the one in OPERATOR_TLS_CERT; restart the gateway if the file has changed');
}
