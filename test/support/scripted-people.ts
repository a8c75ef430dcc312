/** The service of an HTTP source, whose answers a test defines. They are signed with a shared secret unless the test gives a body. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SignJWT, decodeJwt, type JWTPayload } from 'jose';
import type { HttpSettings } from '../../src/config/source-settings.js';
import { httpSettings } from './people-service.js';
import { testConfig } from './test-config.js';

export interface ScriptedHttpAnswer {
  status?: number;
  type?: string;
  headers?: Record<string, string>;
  /** Ends the connection instead of answering. */
  isDropped?: true;
  /** Does not answer the question. */
  isSilent?: true;
  /** Answers after this has ended. */
  after?: Promise<unknown>;
  /** The body, instead of a signed answer. */
  body?: string;
  /** Claims of the answer that replace the right ones; undefined removes a claim. */
  claims?: Record<string, unknown>;
  typ?: string;
  alg?: string;
  secret?: string;
}

export const SHARED_SECRET = 'a secret that both sides know, of the tests';
const ISSUER = 'https://people.example';

export class ScriptedPeople {
  /** @returns the answer to a question */
  answer: (question: JWTPayload) => ScriptedHttpAnswer = () => ({ claims: { result: 'nobody' } });
  readonly questions: JWTPayload[] = [];
  readonly tokens: string[] = [];

  private constructor(private readonly server: Server) {}

  static async start(): Promise<ScriptedPeople> {
    const server = createServer();
    const people = new ScriptedPeople(server);
    server.on('request', (request, response) => {
      void (async () => {
        let token = '';
        for await (const chunk of request) token += String(chunk);
        const question = token === '' ? {} : decodeJwt(token);
        people.tokens.push(token);
        people.questions.push(question);
        const said = people.answer(question);
        if (said.isDropped) {
          request.socket.destroy();
          return;
        }
        if (said.isSilent) return;
        await said.after;
        const body = said.body ?? (await sign(said, question));
        response.writeHead(said.status ?? 200, { 'content-type': said.type ?? 'application/jwt', ...said.headers }).end(body);
      })();
    });
    await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
    return people;
  }

  get url(): string {
    return `http://localhost:${(this.server.address() as AddressInfo).port}`;
  }

  settings(more: Record<string, unknown> = {}): HttpSettings {
    return httpSettings({ id: 'staff', url: this.url, issuer: ISSUER, secret: SHARED_SECRET, ...more });
  }

  close(): Promise<void> {
    return new Promise((resolve) => {
      this.server.close(() => resolve());
      this.server.closeAllConnections();
    });
  }
}

function sign(
  { claims, typ = 'foyer-source-answer+jwt', alg = 'HS256', secret = SHARED_SECRET }: ScriptedHttpAnswer,
  { jti = '', sub }: JWTPayload,
) {
  const now = Math.floor(Date.now() / 1000);
  const right = {
    iss: ISSUER,
    aud: testConfig().publicUrl,
    iat: now,
    exp: now + 30,
    nonce: jti,
    ...(sub === undefined ? {} : { sub }),
  };
  const all = Object.entries<unknown>({ ...right, ...claims }).filter(([, value]) => value !== undefined);
  return new SignJWT(Object.fromEntries(all)).setProtectedHeader({ alg, typ }).sign(Buffer.from(secret));
}
