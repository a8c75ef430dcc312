/** The form with the assertion of a passkey, and what browsers and password managers look up about passkeys of this origin. */
import { Body, Controller, Get, Header, Inject, Post } from '@nestjs/common';
import type { Config } from '../../config/config.js';
import { CONFIG } from '../../config/config.token.js';
import { FACTOR_PATHS } from '../../contract/factor-paths.js';
import { PATHS, SERVER_PATHS } from '../../contract/paths.js';
import { Fault } from '../../gateway/http/faults.js';
import { CurrentRequestContext, type RequestContext } from '../../gateway/http/request-context.js';
import type { Outcome } from '../../gateway/page/outcome.js';
import { Public, ShowsStaleForm } from '../../gateway/security/access.guard.js';
import { LoginRequestFlow } from '../sign-in/login-request.flow.js';
import { PasskeyFlow } from './passkey.flow.js';
import { PasskeyForm } from './passkey.form.js';

@Public()
@Controller()
export class PasskeyController {
  constructor(
    private readonly loginRequest: LoginRequestFlow,
    private readonly flow: PasskeyFlow,
    @Inject(CONFIG) private readonly config: Pick<Config, 'passkeys' | 'publicUrl'>,
  ) {}

  @Post(PATHS.loginPasskey)
  @ShowsStaleForm()
  submit(@Body() form: PasskeyForm, @CurrentRequestContext() context: RequestContext): Promise<Outcome> {
    this.#requireOn();
    return context.form === null ? this.loginRequest.again(form, context) : this.flow.submit(form, context);
  }

  /** For browsers on pages of related origins, which ask for it without credentials (WebAuthn Level 3, section 5.11.1). */
  @Get(SERVER_PATHS.relatedOrigins)
  @Header('Content-Type', 'application/json')
  @Header('Cache-Control', 'public, max-age=300')
  @Header('Cross-Origin-Resource-Policy', 'cross-origin')
  relatedOrigins(): { origins: string[] } {
    this.#requireOn();
    const { publicUrl, passkeys } = this.config;
    if (passkeys.origins.length === 0) throw new Fault('page_not_found', 'There are no related origins');
    return { origins: [new URL(publicUrl).origin, ...passkeys.origins] };
  }

  @Get(SERVER_PATHS.passkeyEndpoints)
  @Header('Content-Type', 'application/json')
  @Header('Cache-Control', 'public, max-age=300')
  endpoints(): { enroll: string; manage: string } {
    this.#requireOn();
    const { publicUrl } = this.config;
    return {
      enroll: new URL(FACTOR_PATHS.register('passkey'), publicUrl).href,
      manage: new URL(PATHS.manageMfa, publicUrl).href,
    };
  }

  #requireOn(): void {
    if (this.config.passkeys.mode === 'off') throw new Fault('page_not_found', 'Nobody signs in with passkeys here');
  }
}
