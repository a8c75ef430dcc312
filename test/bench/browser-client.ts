/**
 * A browser that costs the load generator little: node:http with persistent connections, cookies per origin, and no automatic
 * redirects. It also replaces the reverse proxy: it sends requests for https addresses over plain http.
 */
import {
  Agent,
  request,
  type AgentOptions,
  type ClientRequestArgs,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type OutgoingHttpHeaders,
} from 'node:http';
import { brotliDecompressSync } from 'node:zlib';

export interface ReceivedResponse {
  status: number;
  location: string | null;
  body: Buffer;
  encoding: string;
  headers: IncomingHttpHeaders;
}

/** Connects to these ports in turn where the address has the first of them, and uses its free connections in turn, as a load balancer does. */
class SpreadingAgent extends Agent {
  #next = 0;

  constructor(
    options: AgentOptions,
    private readonly ports: readonly number[],
  ) {
    super(options);
  }

  override createConnection(options: ClientRequestArgs, callback?: Parameters<Agent['createConnection']>[1]) {
    const isSpread = Number(options.port) === this.ports[0];
    const port = isSpread ? this.ports[this.#next++ % this.ports.length] : options.port;
    return super.createConnection({ ...options, port }, callback);
  }
}

const agents = new Map<string, Agent>();

/**
 * @param connections the largest number of connections to one server
 * @param ports of this machine over which the connections to the first one are spread
 */
export function getAgent(connections: number, ports: readonly number[] = []): Agent {
  const key = [connections, ...ports].join(' ');
  const agent = agents.get(key) ?? new SpreadingAgent({ keepAlive: true, maxSockets: connections, scheduling: 'fifo' }, ports);
  agents.set(key, agent);
  return agent;
}

type Fields = readonly (readonly [string, string])[];

export class BrowserClient {
  /** Sent with every request while it is set, so that the spans of one step can be identified (W3C Trace Context). */
  traceparent: string | undefined;
  readonly #cookies = new Map<string, Map<string, string>>();

  /** @param address IP address of the person, which the client sends in `X-Forwarded-For` */
  constructor(
    private readonly agent: Agent,
    public address: string,
  ) {}

  /** @returns name and value */
  getCookie(origin: string, name: string): string {
    const value = this.#cookies.get(origin)?.get(name);
    if (value === undefined) throw new Error(`There is no cookie ${name}.`);
    return `${name}=${value}`;
  }

  setCookie(origin: string, cookie: string): void {
    this.#storeCookieLines(origin, [cookie]);
  }

  get(url: URL, headers: OutgoingHttpHeaders = {}): Promise<ReceivedResponse> {
    return this.#send('GET', url, { headers });
  }

  post(url: URL, fields: Fields): Promise<ReceivedResponse> {
    return this.#sendForm(url, fields, { origin: url.origin, 'sec-fetch-site': 'same-origin' });
  }

  postJson(url: URL, body: string, headers: OutgoingHttpHeaders): Promise<ReceivedResponse> {
    const json = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
    return this.#send('POST', url, { body, headers: { ...json, ...headers } });
  }

  /** As an app does, from no page: Keycloak answers a request with the `Origin` of a page that is not the client's 403. */
  postAsApp(url: URL, fields: Fields): Promise<ReceivedResponse> {
    return this.#sendForm(url, fields, {});
  }

  #sendForm(url: URL, fields: Fields, headers: OutgoingHttpHeaders): Promise<ReceivedResponse> {
    const body = fields.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&');
    const form = { 'content-type': 'application/x-www-form-urlencoded', 'content-length': Buffer.byteLength(body) };
    return this.#send('POST', url, { body, headers: { ...form, ...headers } });
  }

  #send(
    method: string,
    url: URL,
    { body, headers: more }: { body?: string; headers: OutgoingHttpHeaders },
  ): Promise<ReceivedResponse> {
    const headers = { ...this.#buildHeaders(url), ...more };
    return new Promise((resolve, reject) => {
      const path = url.pathname + url.search;
      const sent = request({ host: '127.0.0.1', port: url.port, method, path, headers, agent: this.agent }, (answer) => {
        const chunks: Buffer[] = [];
        answer.on('data', (chunk: Buffer) => chunks.push(chunk)).once('error', reject);
        answer.once('end', () => {
          this.#storeCookies(url, answer);
          resolve(toReceivedResponse(answer, Buffer.concat(chunks)));
        });
      });
      sent.once('error', (error: NodeJS.ErrnoException) => {
        // The server has just closed the persistent connection. Browsers repeat such a request, too (RFC 9112, section 9.3.1).
        if (sent.reusedSocket && error.code === 'ECONNRESET')
          this.#send(method, url, { headers: more, ...(body === undefined ? {} : { body }) }).then(resolve, reject);
        else reject(error);
      });
      sent.end(body);
    });
  }

  #buildHeaders(url: URL): OutgoingHttpHeaders {
    const jar = this.#cookies.get(url.origin);
    const cookie = jar ? [...jar].map(([name, value]) => `${name}=${value}`).join('; ') : '';
    return {
      host: url.host,
      accept: 'text/html',
      'accept-encoding': 'gzip, deflate, br, zstd',
      'accept-language': 'en',
      'x-forwarded-for': this.address,
      'x-forwarded-proto': url.protocol.slice(0, -1),
      ...(cookie === '' ? {} : { cookie }),
      ...(this.traceparent === undefined ? {} : { traceparent: this.traceparent }),
    };
  }

  #storeCookies(url: URL, answer: IncomingMessage): void {
    this.#storeCookieLines(url.origin, answer.headers['set-cookie'] ?? []);
  }

  #storeCookieLines(origin: string, lines: readonly string[]): void {
    if (lines.length === 0) return;
    const jar = this.#cookies.get(origin) ?? new Map<string, string>();
    this.#cookies.set(origin, jar);
    for (const line of lines) {
      const [pair = ''] = line.split(';');
      const index = pair.indexOf('=');
      jar.set(pair.slice(0, index), pair.slice(index + 1));
    }
  }
}

export function toText({ body, encoding }: ReceivedResponse): string {
  return (encoding === 'br' ? brotliDecompressSync(body) : body).toString('utf8');
}

function toReceivedResponse(answer: IncomingMessage, body: Buffer): ReceivedResponse {
  const { headers } = answer;
  const { location = null, 'content-encoding': encoding = '' } = headers;
  return { status: answer.statusCode ?? 0, location, body, encoding, headers };
}
