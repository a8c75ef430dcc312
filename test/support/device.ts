/** A device without a browser (RFC 8628): it shows its code and polls. */
import { expectStatus, toJson, type Answer } from './upstream-answer.js';
import type { OAuthClient } from './oauth-client.js';
import type { TokenAnswer, WireError } from './upstream-wire.js';

const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code';

/** Members of the registration of a client for devices. */
export const DEVICE_CLIENT = { grant_types: [DEVICE_GRANT, 'refresh_token'], response_types: [] as string[] };

interface Codes {
  device_code: string;
  user_code: string;
  verification_uri_complete: string;
}

export class Device {
  private constructor(
    private readonly client: OAuthClient,
    private readonly codes: Codes,
  ) {}

  static async start(client: OAuthClient, scope = 'openid offline'): Promise<Device> {
    const answer = await client.post('/oauth2/device/auth', { client_id: client.id, scope });
    return new Device(client, toJson<Codes>(expectStatus(answer, 200)));
  }

  get userCode(): string {
    return this.codes.user_code;
  }

  /** The address with the code, for a QR code. */
  get completeUri(): string {
    return this.codes.verification_uri_complete;
  }

  poll(): Promise<Answer> {
    return this.client.post('/oauth2/token', { grant_type: DEVICE_GRANT, device_code: this.codes.device_code });
  }

  async pollError(): Promise<string> {
    return toJson<WireError>(expectStatus(await this.poll(), 400)).error;
  }

  async tokens(): Promise<TokenAnswer> {
    return toJson<TokenAnswer>(expectStatus(await this.poll(), 200));
  }
}
