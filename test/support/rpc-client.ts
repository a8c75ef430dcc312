/** An independent client of the RPC calls: it rotates its token, retries nothing, and knows only the contract. */
import { CALL_HEADERS } from '../../src/contract/form-fields.js';
import { PATHS } from '../../src/contract/paths.js';

export interface RpcAnswer {
  status: number;
  headers: Headers;
  body: Record<string, unknown>;
  nextToken: string | null;
}

export class RpcClient {
  constructor(
    readonly origin: string,
    public token: string,
    /** `name=value` of the cookies of the browser that opened the session. */
    private readonly cookies: readonly string[] = [],
  ) {}

  get(path: string): Promise<RpcAnswer> {
    return this.call('GET', path);
  }

  post(path: string, body?: unknown): Promise<RpcAnswer> {
    return this.call('POST', path, body);
  }

  put(path: string, body?: unknown): Promise<RpcAnswer> {
    return this.call('PUT', path, body);
  }

  patch(path: string, body?: unknown): Promise<RpcAnswer> {
    return this.call('PATCH', path, body);
  }

  delete(path: string): Promise<RpcAnswer> {
    return this.call('DELETE', path);
  }

  call(method: string, path: string, body?: unknown): Promise<RpcAnswer> {
    const text = body === undefined ? undefined : JSON.stringify(body);
    return this.send(path, {
      method,
      headers: {
        authorization: `Bearer ${this.token}`,
        ...(this.cookies.length === 0 ? {} : { cookie: this.cookies.join('; ') }),
        ...(text === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(text === undefined ? {} : { body: text }),
    });
  }

  /** Sends an unchanged request, and stores the next token in any case. */
  async send(path: string, init: RequestInit): Promise<RpcAnswer> {
    const response = await fetch(`${this.origin}${PATHS.manageRpc}${path}`, { redirect: 'manual', ...init });
    const nextToken = response.headers.get(CALL_HEADERS.nextToken);
    if (nextToken !== null) this.token = nextToken;
    const body = (await response.json()) as Record<string, unknown>;
    return { status: response.status, headers: response.headers, body, nextToken };
  }
}
