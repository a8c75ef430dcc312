/** A browser with the built pages: opens fixtures, with and without script, and records submitted forms. */
import type { Browser, BrowserContext, BrowserContextOptions, Locator, Page, Request } from 'playwright-core';
import type { Locale } from '../../src/contract/locale.js';
import type { PageState } from '../../src/contract/page-state.js';
import { FIXTURES } from '../../web/fixtures/index.js';
import { launchChromium, pageReady } from './chromium.js';
import { loadOrBuildPages, type BuiltPages } from './page-build.js';
import { previewPages, type PagePreview } from './page-preview.js';

type Change = (state: PageState) => PageState;

export class PageLoads {
  context!: BrowserContext;
  page!: Page;

  private constructor(
    private readonly built: BuiltPages,
    private readonly preview: PagePreview,
    private readonly browser: Browser,
  ) {}

  /** @param flags of the browser */
  static async start(flags: readonly string[] = []): Promise<PageLoads> {
    const built = await loadOrBuildPages();
    return new PageLoads(built, await previewPages(built), await launchChromium(flags));
  }

  async end(): Promise<void> {
    await this.browser.close();
    await this.preview.close();
    this.built.remove();
  }

  /** Begins with a new person, without cookies and storage. */
  async newPerson(options: BrowserContextOptions = {}): Promise<void> {
    this.context = await this.browser.newContext({ reducedMotion: 'reduce', ...options });
    this.page = await this.context.newPage();
  }

  address(name: string, locale: Locale = 'en', change: Change = (state) => state): string {
    const fixture = FIXTURES.find((candidate) => candidate.name === name);
    if (!fixture) throw new Error(`There is no fixture ${name}.`);
    return this.preview.show(fixture.path, change(fixture.state(locale)));
  }

  async open(name: string, locale?: Locale, change?: Change): Promise<void> {
    await this.page.goto(this.address(name, locale, change));
    await pageReady(this.page);
  }

  /** Opens a page and holds its script back. @returns a function that lets the script load */
  async openBeforeScript(name: string): Promise<() => void> {
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    await this.page.route('**/client-*.js', async (route) => {
      await held;
      await route.continue();
    });
    await this.page.goto(this.address(name), { waitUntil: 'commit' });
    return release;
  }

  /** Opens a page without script, for which there is no event when it is ready. */
  async openWithoutScript(name: string): Promise<void> {
    await this.context.close();
    await this.newPerson({ javaScriptEnabled: false });
    await this.page.goto(this.address(name));
  }

  /** @returns the forms that are submitted from now on; they are answered as by the gateway, or never with `hold` */
  async recordPosts(answer: 'answer' | 'hold' = 'answer'): Promise<Request[]> {
    const posts: Request[] = [];
    await this.page.route('**', (route, request) => {
      if (request.method() !== 'POST') return route.continue();
      posts.push(request);
      if (answer === 'hold') return undefined;
      return route.fulfill({ status: 200, contentType: 'text/html', body: '<!doctype html><title>taken</title>' });
    });
    return posts;
  }

  /**
   * Answers forms that are submitted from now on with the page of a fixture, as after a refusal. @returns their addresses
   */
  async refusePosts(name: string, self: string): Promise<string[]> {
    const asked: string[] = [];
    const fixture = FIXTURES.find((candidate) => candidate.name === name);
    if (!fixture) throw new Error(`There is no fixture ${name}.`);
    const body = this.preview.html(fixture.path, fixture.state('en'), self);
    await this.page.route('**', (route, request) => {
      if (request.isNavigationRequest()) asked.push(`${request.method()} ${new URL(request.url()).pathname}`);
      return request.method() === 'POST' ? route.fulfill({ status: 422, contentType: 'text/html', body }) : route.continue();
    });
    return asked;
  }

  async hasFocus(locator: Locator): Promise<boolean> {
    return (await locator.and(this.page.locator(':focus')).count()) === 1;
  }
}

export function toSentFields(request: Request | undefined): URLSearchParams {
  return new URLSearchParams(request?.postData() ?? '');
}
