/**
 * Redirects `/` to the start page, if one is set (`HOME_URL`), and the well-known address for changing a password to the password
 * page.
 */
import { Controller, Get, Inject } from '@nestjs/common';
import type { Config } from '../../config/config.js';
import { CONFIG } from '../../config/config.token.js';
import { PATHS, SERVER_PATHS } from '../../contract/paths.js';
import { Public } from '../security/access.guard.js';
import { Fault } from './faults.js';
import { redirect, type RedirectOutcome } from '../page/outcome.js';

@Public()
@Controller()
export class HomeController {
  constructor(@Inject(CONFIG) private readonly config: Pick<Config, 'app'>) {}

  @Get(SERVER_PATHS.home)
  redirectToStartPage(): RedirectOutcome {
    const { homeUrl } = this.config.app;
    if (homeUrl === undefined) throw new Fault('page_not_found', 'HOME_URL is not set');
    return redirect(homeUrl);
  }

  @Get(SERVER_PATHS.changePassword)
  redirectToPasswordPage(): RedirectOutcome {
    return redirect(PATHS.managePassword);
  }
}
