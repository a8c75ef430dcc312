/**
 * The console in a real Chromium, in front of a server in memory and under the content policy of the product: every page and dialog is
 * accessible and fits the window, and the main paths work, by keyboard too.
 */
import { readFile } from 'node:fs/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import axe from 'axe-core';
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';
import { IDS, NOW } from '../../console/fixtures/accounts.js';
import { World } from '../../console/fixtures/world.js';
import { launchChromium } from '../support/chromium.js';
import { loadOrBuildConsole, previewConsole, type BuiltConsole, type ConsolePreview } from '../support/console-preview.js';
import { SCENES, openScene, settle } from '../support/console-scenes.js';
import { NewElementKinds, selectHalf, matrix } from '../support/matrix.js';

/** The script of axe at the origin of the console, which the content policy allows. */
const AXE = '/axe.js';
const LOAD_AXE = `new Promise((loaded, failed) =>
  document.head.append(Object.assign(document.createElement('script'), { src: '${AXE}', onload: loaded, onerror: failed })))`;

/** Rows after the first ones of a list: the contrast of each text takes longer than everything else. */
const ALIKE = ['tbody > tr:nth-child(n + 5)', 'ol > li:nth-child(n + 7)', 'ul > li:nth-child(n + 13)'];

const HEIGHTS = { 390: 844, 1280: 900 } as const;
const WIDE = { width: 1280, height: 900 };

let built: BuiltConsole;
let preview: ConsolePreview;
let browser: Browser;
let context: BrowserContext;
let page: Page;
/** Violations of the content policy, and errors of scripts. */
const complaints: string[] = [];

beforeAll(async () => {
  built = await loadOrBuildConsole();
  [preview, browser] = await Promise.all([previewConsole(built.folder, { [AXE]: axe.source }), launchChromium()]);
}, 180_000);

afterAll(async () => {
  await browser.close();
  await preview.close();
  built.remove();
});

type ContextOptions = NonNullable<Parameters<Browser['newContext']>[0]>;

/** Pages that tests share, by the options of their context: the browser then compiles the scripts once. */
const shared = new Map<string, Page>();

async function begin(options: ContextOptions = {}): Promise<void> {
  const key = JSON.stringify(options);
  const known = shared.get(key);
  preview.world = new World();
  page = known ?? (await openPage(options));
  context = page.context();
  complaints.length = 0;
  shared.set(key, page);
}

/** For a test that changes the clock or the scripts of the page. */
async function beginApart(): Promise<void> {
  page = await openPage();
  context = page.context();
}

async function openPage(options: ContextOptions = {}): Promise<Page> {
  const opened = await browser.newContext({ viewport: WIDE, locale: 'en', timezoneId: 'UTC', ...options });
  await opened.clock.setFixedTime(NOW);
  opened.on('console', (message) => {
    // Answers with an error status are part of the stories.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) complaints.push(message.text());
  });
  opened.on('weberror', (error) => complaints.push(String(error.error())));
  return opened.newPage();
}

/** What a test leaves in the browser does not reach the next one. */
async function end(): Promise<void> {
  if (![...shared.values()].includes(page)) return context.close();
  const others = context.pages().filter((one) => one !== page);
  await Promise.all([page.unrouteAll({ behavior: 'ignoreErrors' }), ...others.map((one) => one.close())]);
  await page.evaluate('localStorage.clear(); sessionStorage.clear()');
  await page.goto('about:blank');
}

async function open(path: string): Promise<void> {
  await page.goto(`${preview.origin}/console${path}`);
  await settle(page);
}

const person = `/people/${IDS.maria}`;
const button = (name: string | RegExp, scope: Page | Locator = page) =>
  scope.getByRole('button', { name, exact: typeof name === 'string' });
const dialog = (name?: string | RegExp) => page.getByRole('dialog', name === undefined ? {} : { name });
const notice = () => page.locator('.notice-region .alert');
const hasFocus = (locator: Locator) =>
  locator
    .and(page.locator(':focus'))
    .count()
    .then((count) => count === 1);

const TIMEOUT_MS = 120_000;
const LOOK_MS = 25;

async function waitUntil(condition: () => boolean | Promise<boolean>): Promise<void> {
  const end = performance.now() + TIMEOUT_MS;
  while (!(await condition())) {
    if (performance.now() > end) throw new Error(`Not true in time: ${String(condition)}`);
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}

async function giveReason(text = 'On the phone'): Promise<void> {
  await dialog().getByLabel('Reason').fill(text);
}

const newKinds = new NewElementKinds();

/** @returns what is not accessible; in a sample of the documents, see `NewElementKinds` */
async function findInaccessible(colorScheme: string): Promise<string[]> {
  if (!newKinds.isIn(await page.evaluate<string>('document.body.innerHTML'), colorScheme)) return [];
  await page.evaluate(LOAD_AXE);
  return page.evaluate<string[]>(
    `axe.run({ include: ['html'], exclude: ${JSON.stringify(ALIKE)} }, { resultTypes: ['violations'] }).then(({ violations }) =>
      violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ': ' + html.slice(0, 200))))`,
  );
}

describe.each(matrix(selectHalf(SCENES), { locale: ['en', 'de'], width: [390, 1280], colorScheme: ['light', 'dark'] }))(
  '$name in $locale, $colorScheme, $width pixels wide',
  ({ locale, width, colorScheme, ...scene }) => {
    it('is accessible, fits the window, and follows the content policy', async () => {
      await begin({ locale, colorScheme });
      await page.setViewportSize({ width, height: HEIGHTS[width] });
      await openScene(page, preview, scene);
      expect(await findInaccessible(colorScheme)).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
      expect(await page.title()).toMatch(/ · Foyer/);
      expect(await page.locator('html').getAttribute('lang')).toBe(locale);
      expect(complaints).toEqual([]);
      await end();
    });
  },
);

describe('the console', () => {
  beforeEach(() => begin());
  afterEach(async () => {
    await end();
    expect(complaints).toEqual([]);
  });

  it('leads to the sign-in, and from there to the page that was asked for', async () => {
    preview.world.isSignedIn = false;
    await open('/people?search=maria');
    await page.getByRole('link', { name: 'Sign in' }).click();
    await page.getByRole('link', { name: 'Maria Musterfrau' }).waitFor();
    expect(page.url()).toBe(`${preview.origin}/console/people?search=maria`);
  });

  it('finds people while somebody types, and Back leads to the list before', async () => {
    await open('/people');
    await page.getByRole('combobox', { name: 'Search for people and apps' }).fill('Maria');
    await page.waitForURL('**/people?search=Maria');
    await page.getByRole('link', { name: 'Maria Musterfrau' }).waitFor();
    await waitUntil(async () => (await page.getByRole('row').count()) === 2);
    await page.getByRole('combobox', { name: 'Search for people and apps' }).fill('Maria M');
    await page.waitForURL('**/people?search=Maria+M');
    await page.goBack();
    await page.waitForURL('**/people');
    expect(await page.getByRole('combobox', { name: 'Search for people and apps' }).inputValue()).toBe('');
  });

  it('goes from page to page of the list, and back to the first', async () => {
    await open('/people?status=active');
    await page.getByRole('link', { name: 'Next page' }).click();
    await page.waitForURL('**/people?status=active&cursor=50');
    await page.getByRole('link', { name: 'First page' }).click();
    await page.waitForURL('**/people?status=active');
    await page.getByRole('link', { name: 'Maria Musterfrau' }).click();
    await page.getByRole('heading', { level: 1, name: 'Maria Musterfrau' }).waitFor();
    await page.goBack();
    await page.getByRole('link', { name: 'Next page' }).waitFor();
  });

  it('finds a person by the id from every page, and refuses a search that is too long', async () => {
    await open('/activity');
    const box = page.getByRole('combobox', { name: 'Search for people and apps' });
    await page.keyboard.press('/');
    expect(await hasFocus(box)).toBe(true);
    await box.fill('x'.repeat(10_000));
    await box.press('Enter');
    await page.getByText('at most 320 characters').waitFor();
    expect(page.url()).toBe(`${preview.origin}/console/activity`);
    await box.fill(` ${IDS.maria.toUpperCase()} `);
    await page.getByRole('heading', { level: 1, name: 'Maria Musterfrau' }).waitFor();
    expect(preview.world.answeredRequests.some(({ url }) => url.length > 1000)).toBe(false);
  });

  it('searches for signs as they are typed', async () => {
    await open('/people');
    await page.getByRole('combobox', { name: 'Search for people and apps' }).fill(`%'`);
    await page.getByText('A search needs a letter or a digit.').waitFor();
    await page.getByRole('combobox', { name: 'Search for people and apps' }).fill(`x%' &=#`);
    await page.getByText('Nobody was found.').waitFor();
    expect(preview.world.answeredRequests.at(-1)?.url).toContain('search=x%25%27%20%26%3D%23');
  });

  it('shows hostile names as text, and never runs them', async () => {
    await open(`/people/${IDS.hostile}`);
    expect(await page.title()).toContain('[U+202E]gnp.exe');
    expect(await page.locator('img, script:not([src])').count()).toBe(0);
    expect(await page.locator('h1 bdi .hidden-character').first().textContent()).toBe('U+202E');
  });

  it('does an action with a reason, says so, and gives the focus back', async () => {
    await open(person);
    await button('Disable').click();
    await dialog('Disable Maria Musterfrau').waitFor();
    await button('Disable', dialog()).click();
    await dialog().getByText('Please enter a reason.').waitFor();
    await waitUntil(() => hasFocus(dialog().getByLabel('Reason')));
    await giveReason('Left the “company” — ticket 4711');
    await dialog().getByText('Show as command').click();
    expect(await dialog().locator('.command code').textContent()).toBe(
      `foyer account disable maria.musterfrau --reason 'Left the “company” — ticket 4711'`,
    );
    await button('Disable', dialog()).click();
    await notice().waitFor();
    expect(await notice().textContent()).toContain('Maria Musterfrau is disabled.');
    expect(preview.world.recordedCalls).toEqual([
      {
        operation: 'access.disable',
        path: `/accounts/${IDS.maria}/disable`,
        reason: 'Left the “company” — ticket 4711',
        body: {},
      },
    ]);
    await page.locator('.person-head').getByText('Disabled').waitFor();
    await button('Enable again').waitFor();
    expect(await dialog().count()).toBe(0);
  });

  it('keeps what was typed when a call fails', async () => {
    await open(`/people/${IDS.invited}`);
    preview.world.fail(409, 'has_password', 'resets.invite');
    await button('Mail an invitation').click();
    await giveReason();
    await button('Mail the invitation', dialog()).click();
    await dialog().getByText('The account already has a password').waitFor();
    expect(await dialog().getByLabel('Reason').inputValue()).toBe('On the phone');
    preview.world.fail(429, 'limited', 'resets.invite');
    await button('Mail the invitation', dialog()).click();
    await dialog().getByText('Wait 4 minutes, then try again.').waitFor();
    await page.route('**/invitation', (route) => route.abort());
    await button('Mail the invitation', dialog()).click();
    await dialog().getByText('The server can’t be reached').waitFor();
    expect(await dialog().getByLabel('Reason').inputValue()).toBe('On the phone');
  });

  it('shows a link once, and keeps it nowhere', async () => {
    await open(person);
    await button('Reset second factors').click();
    await giveReason();
    await button('Create the link', dialog()).click();
    await dialog().getByText('https://login.example.org/mfa/reset/form?token=9f2c6d1e7a').waitFor();
    await button('Done').click();
    await dialog().waitFor({ state: 'detached' });
    expect(await page.content()).not.toContain('9f2c6d1e7a');
  });

  it('changes only what differs', async () => {
    await open(person);
    await button('Change details').click();
    await button('Save', dialog()).click();
    await dialog().getByText('Nothing has been changed yet.').waitFor();
    await dialog().getByLabel('Language', { exact: true }).fill('');
    await dialog().getByLabel('Further groups').fill('Betriebsrat\nBrandschutz');
    await giveReason();
    await button('Save', dialog()).click();
    await notice().waitFor();
    expect(preview.world.recordedCalls.at(-1)?.body).toEqual({ language: null, groups: ['Betriebsrat', 'Brandschutz'] });
  });

  it('deletes a person only after the username was typed, and leads to the list', async () => {
    await open(person);
    await button('Delete now').click();
    await giveReason();
    await dialog().getByLabel('Type the username').fill('maria');
    await button('Delete permanently').click();
    await dialog().getByText('That isn’t the username of this account.').waitFor();
    await dialog().getByLabel('Type the username').fill('maria.musterfrau');
    await button('Delete permanently').click();
    await page.waitForURL('**/console/people');
    expect(await notice().textContent()).toContain('Maria Musterfrau is deleted.');
  });

  it('says that a person was deleted meanwhile', async () => {
    await open(`/people/${IDS.locked}`);
    preview.world.accounts = preview.world.accounts.filter(({ id }) => id !== IDS.locked);
    await button('Unlock after wrong passwords').click();
    await giveReason();
    await button('Unlock', dialog()).click();
    await page.getByRole('heading', { level: 1, name: 'There is no such account' }).waitFor();
    await page.getByRole('link', { name: 'Events of this account' }).click();
    await page.waitForURL(`**/activity?account=${IDS.locked}`);
  });

  it('does something to many people: counted, confirmed with a reason, watched, and stopped', async () => {
    await open('/people?group=Einkauf&status=active');
    await button('Change all of these').click();
    await dialog().getByLabel('Action').selectOption('end_sessions');
    await dialog().locator('.job-count b').waitFor();
    const shown = /\d+/.exec((await dialog().locator('.job-count').textContent()) ?? '')?.[0];
    await giveReason('A laptop was stolen');
    await button('Start the job', dialog()).click();
    await page.waitForURL('**/people/jobs/3');
    const body = { action: 'end_sessions', filter: { group: 'Einkauf', status: 'active' }, count: Number(shown) };
    expect(preview.world.recordedCalls.find(({ operation }) => operation === 'jobs.start')).toMatchObject({
      reason: 'A laptop was stolen',
      body,
    });
    await button('Stop the job').click();
    await giveReason('Enough');
    await button('Stop the job', dialog()).click();
    await page.getByText('Stopped', { exact: true }).waitFor();
    expect(await button('Stop the job').count()).toBe(0);
  });

  it('says once that the server cannot be reached, and shows everything after a retry', async () => {
    preview.world.filters = [
      { id: 'a', page: 'people', name: 'Saved', filter: { group: 'IT' }, saved_at: '2026-11-02T09:30:00Z' },
    ];
    await page.route('**/operator/v1/**', (route) => route.abort());
    await open('/people');
    await page.getByRole('alert').waitFor();
    // The other lists were asked for as often as the one of the alert.
    await page.waitForLoadState('networkidle');
    expect(await page.getByRole('alert').count()).toBe(1);
    await page.unroute('**/operator/v1/**');
    await button('Try again').click();
    await page.getByRole('link', { name: 'Maria Musterfrau' }).waitFor();
    await page.getByRole('link', { name: 'Saved' }).waitFor();
  });

  it('leads from the address that somebody would try to the jobs', async () => {
    await open('/jobs');
    await page.waitForURL('**/console/people/jobs');
    await page.getByRole('heading', { level: 1, name: 'Jobs' }).waitFor();
  });

  it('saves a filter under a name, opens it again, and removes it', async () => {
    await open('/people?status=disabled&group=Vertrieb');
    await button('Save this filter').click();
    await button('Save', dialog()).click();
    await dialog().getByText('Please enter a name.').waitFor();
    await dialog().getByLabel('Name').fill('Sales, disabled');
    await button('Save', dialog()).click();
    await dialog().waitFor({ state: 'detached' });
    await open('/people');
    await page.getByRole('link', { name: 'Sales, disabled' }).click();
    await page.waitForURL('**/people?status=disabled&group=Vertrieb');
    await button('Remove the filter Sales, disabled').click();
    await page.getByRole('link', { name: 'Sales, disabled' }).waitFor({ state: 'detached' });
    expect(preview.world.filters).toEqual([]);
  });

  it('offers only what does something', async () => {
    await open(person);
    const side = page.locator('.person-side');
    await button('Sign out everywhere', side).waitFor();
    await button('End the trust in all browsers', side).waitFor();
    await button('Reset second factors').waitFor();
    expect(await button(/Unlock after wrong passwords|Mail an invitation/).count()).toBe(0);
    await open(`/people/${IDS.frozen}`);
    await page.getByText('Not signed in anywhere.').waitFor();
    await page.getByText('Stored by Foyer.').waitFor();
    expect(await button(/Sign out everywhere|End the trust|Reset second factors/).count()).toBe(0);
    await open(`/people/${IDS.invited}`);
    await page.getByText('no connected provider and no source').waitFor();
    await open(`/people/${IDS.locked}`);
    await page.locator('.person-head').getByText('Locked until').waitFor();
    await button('Unlock after wrong passwords').click();
    await giveReason();
    await button('Unlock', dialog()).click();
    await page.locator('.person-head').getByText('Locked until').waitFor({ state: 'detached' });
    expect(await button('Unlock after wrong passwords').count()).toBe(0);
    await waitUntil(() => hasFocus(page.getByRole('heading', { level: 1 })));
  });

  it('offers to end sessions also where they cannot be listed', async () => {
    preview.world.fail(503, 'unavailable', 'sessions.list');
    await open(person);
    await button('Sign out everywhere').waitFor();
  });

  it('warns before a job for everybody, and before one for people who never signed in', async () => {
    await open('/people');
    await button('Change all of these').click();
    await dialog().getByText('this concerns everybody').waitFor();
    await dialog().getByLabel('Action').selectOption('disable');
    // The account of the operator is left out.
    await dialog()
      .getByText(`The job concerns ${preview.world.accounts.length - 1} people.`)
      .waitFor();
    await open('/people?never_signed_in=true');
    await button('Change all of these').click();
    await dialog().getByText('signed in before version 0.3').waitFor();
    expect(await dialog().getByText('this concerns everybody').count()).toBe(0);
  });

  it('can be used by keyboard alone', async () => {
    await open('/people');
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Skip to content');
    await page.getByRole('link', { name: 'Maria Musterfrau' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Maria Musterfrau' }).waitFor();
    expect(await page.evaluate('document.activeElement.tagName')).toBe('H1');
    // The panel of the sessions has such a button too, once it is there.
    await button('End: Firefox, Windows').waitFor();
    const opener = button('Sign out everywhere').first();
    await opener.focus();
    await page.keyboard.press('Enter');
    await dialog().waitFor();
    // Somewhere in the dialog, whatever the number of steps.
    for (let steps = 0; steps < 12; steps += 1) {
      await page.keyboard.press('Tab');
      expect(
        await page.evaluate(`document.activeElement === document.body || document.activeElement.closest('dialog') !== null`),
      ).toBe(true);
    }
    await page.keyboard.press('Escape');
    await dialog().waitFor({ state: 'detached' });
    await waitUntil(() => hasFocus(opener));
  });

  it('ends one session of a list, and the focus is not lost with its button', async () => {
    await open(person);
    await button('End: Firefox, Windows').click();
    await giveReason();
    await button('End the session').click();
    await notice().waitFor();
    expect(preview.world.recordedCalls.at(-1)?.path).toBe(
      `/accounts/${IDS.maria}/sessions/n4bQgYhMfWWaL-qgxVrQFaO_TxsrC4Is0V1sFbDwCgg`,
    );
    await button('End: Firefox, Windows').waitFor({ state: 'detached' });
    await waitUntil(() => hasFocus(page.getByRole('heading', { name: 'Sessions' })));
  });
});

describe('the session', () => {
  beforeEach(() => begin());
  afterEach(async () => {
    await end();
    expect(complaints).toEqual([]);
  });

  it('that has ended is renewed in another window, and the call goes on', async () => {
    await open(person);
    await button('Disable').click();
    await giveReason('Typed before the end');
    preview.world.isSignedIn = false;
    await button('Disable', dialog()).click();
    await dialog('You have been signed out').waitFor();
    expect(preview.world.recordedCalls).toEqual([]);
    const opened = context.waitForEvent('page');
    await page.getByRole('link', { name: 'Sign in again' }).click();
    const other = await opened;
    await notice().waitFor();
    await waitUntil(() => other.isClosed());
    expect(preview.world.recordedCalls.map(({ reason }) => reason)).toEqual(['Typed before the end']);
  });

  it('needs a fresh proof for what is dangerous; cancelled, nothing happens and nothing is lost', async () => {
    preview.world.isFresh = false;
    await open(person);
    await button('Create a password reset link').click();
    await giveReason('Asked at the counter');
    await button('Create the link', dialog()).click();
    const proof = dialog('Confirm that it’s you');
    await button('Cancel', proof).click();
    await dialog().getByText('Nothing was changed, because you haven’t confirmed that it’s you').waitFor();
    await button('Create the link', dialog()).click();
    const opened = context.waitForEvent('page');
    await proof.getByRole('link', { name: 'Confirm' }).click();
    expect((await opened).url()).toContain('/console/');
    await dialog().locator('.secret').waitFor();
    expect(preview.world.recordedCalls.map(({ reason }) => reason)).toEqual(['Asked at the counter']);
  });

  it('is renewed in a tab where the browser refuses windows, and the tab says that it can be closed', async () => {
    await beginApart();
    await page.addInitScript('window.open = () => null');
    await open('/people');
    preview.world.isSignedIn = false;
    await page.getByRole('link', { name: 'Activity' }).click();
    await dialog('You have been signed out').waitFor();
    const opened = context.waitForEvent('page');
    await page.getByRole('link', { name: 'Sign in again' }).click();
    const other = await opened;
    await page.getByRole('heading', { level: 1, name: 'Activity' }).waitFor();
    await dialog().waitFor({ state: 'detached' });
    // A browser that allows it closes the window, also while its text is looked for.
    const text = other.getByText('You can close this window.').waitFor();
    await text.catch((error: unknown) => {
      if (!other.isClosed()) throw error;
    });
  });

  it('of another person begins a new page, and repeats nothing', async () => {
    await open(person);
    await button('Disable').click();
    await giveReason();
    preview.world.isSignedIn = false;
    preview.world.nextOperator = { account_id: IDS.operator, username: 'sven.hilfe', display_name: 'Sven Hilfe' };
    await button('Disable', dialog()).click();
    await dialog('You have been signed out').waitFor();
    await Promise.all([page.waitForEvent('load'), page.getByRole('link', { name: 'Sign in again' }).click()]);
    await settle(page);
    await dialog().waitFor({ state: 'detached' });
    expect(preview.world.recordedCalls).toEqual([]);
    await button('Your account and settings').click();
    await page.getByText('sven.hilfe').first().waitFor();
  });

  it('that is idle is noticed without a click, by a call that does not keep it alive', async () => {
    await beginApart();
    await page.clock.install({ time: NOW });
    await open('/people');
    preview.world.isSignedIn = false;
    await page.clock.runFor(16 * 60_000);
    await dialog('You have been signed out').waitFor();
  });

  it('shows what its rights allow, also when they change while a page is open', async () => {
    preview.world.rights = ['support'];
    await open(`/people/${IDS.locked}`);
    expect(await button('Delete now').count()).toBe(0);
    preview.world.rights = ['read'];
    await button('Unlock after wrong passwords').click();
    await giveReason();
    await button('Unlock', dialog()).click();
    await dialog().getByText('Your rights don’t allow this').waitFor();
    await button('Cancel', dialog()).click();
    await page.getByText('Your rights allow no changes here.').waitFor();
  });

  it('offers on the own account only what the server allows there', async () => {
    await open(`/people/${IDS.admin}`);
    await page.locator('.person-side').getByRole('button', { name: 'Disable' }).waitFor();
    expect(await button(/Delete now|Change|Create a password reset link/).count()).toBe(0);
    preview.world.rights = ['support'];
    await page.reload();
    await page.getByText('Only an operator with the right “Administration” can change it.').waitFor();
    await page.getByText('Your rights allow no changes here.').waitFor();
  });

  it('of an auditor leads to today, without people', async () => {
    preview.world.rights = ['auditor'];
    await open('/');
    await page.waitForURL('**/console/today');
    const names = await page.getByRole('navigation', { name: 'Pages', exact: true }).getByRole('link').allTextContents();
    expect(names).toEqual(['Today', 'Activity', 'Installation']);
    expect(await page.getByRole('combobox', { name: 'Search for people and apps' }).count()).toBe(0);
    await open('/people');
    await page.getByText('You can’t see this page').waitFor();
  });

  it('keeps language and theme in this browser', async () => {
    await open('/people');
    await button('Your account and settings').click();
    await page.getByRole('radio', { name: 'Deutsch' }).click();
    await page.getByRole('radio', { name: 'Dunkel' }).click();
    await page.getByRole('heading', { level: 1, name: 'Personen' }).waitFor();
    await open('/people');
    expect(await page.locator('html').getAttribute('lang')).toBe('de');
    expect(await page.locator('html').getAttribute('data-theme')).toBe('dark');
  });

  it('follows the language of the account, and then that of the browser', async () => {
    preview.world.operator = { ...preview.world.operator, language: 'de-AT' };
    await open('/people');
    expect(await page.locator('html').getAttribute('lang')).toBe('de');
  });

  it('ends with a sign-out', async () => {
    await open('/people');
    await button('Your account and settings').click();
    await button('Sign out').click();
    await page.getByRole('heading', { level: 1, name: 'You’re signed out' }).waitFor();
    expect(preview.world.isSignedIn).toBe(false);
  });
});

describe('the activity', () => {
  beforeEach(() => begin());
  afterEach(async () => {
    await end();
    expect(complaints).toEqual([]);
  });

  it('is filtered by the address, and Back takes a filter away', async () => {
    await open('/activity');
    await page.getByLabel('Event', { exact: true }).selectOption('password');
    await page.waitForURL('**/activity?kind=password');
    await page.getByLabel('By', { exact: true }).selectOption('person');
    await page.waitForURL('**/activity?kind=password&actor=person');
    await waitUntil(async () => !(await page.getByRole('table').innerText()).includes('Foyer'));
    await page.goBack();
    await page.waitForURL('**/activity?kind=password');
    await page.getByRole('link', { name: 'Older' }).waitFor({ state: 'detached' });
  });

  it('says that a date without a time filters nothing', async () => {
    await open('/activity');
    const field = page.getByLabel('From', { exact: true });
    await field.pressSequentially('11022026');
    await page.getByLabel('Request id').focus();
    await page.getByText('Please enter the date and the time.').waitFor();
    await field.fill('2026-11-02T08:00');
    await page.waitForURL('**/activity?since=*');
    await page.getByLabel('Request id').focus();
    await page.getByText('Please enter the date and the time.').waitFor({ state: 'detached' });
  });

  it('is filtered by a period, which sets both times', async () => {
    await beginApart();
    await page.clock.setFixedTime(new Date(2026, 10, 24, 12));
    await open('/activity');
    await page.getByLabel('Period').selectOption('Last month');
    await page.waitForURL('**/activity?since=*&until=*');
    expect(await page.getByLabel('From', { exact: true }).inputValue()).toBe('2026-10-01T00:00');
    expect(await page.getByLabel('Before', { exact: true }).inputValue()).toBe('2026-11-01T00:00');
    await page.getByLabel('Before', { exact: true }).fill('2026-10-05T00:00');
    await waitUntil(async () => (await page.getByLabel('Period').inputValue()) === 'other');
    await page.getByLabel('Period').selectOption('Any');
    await page.waitForURL('**/activity');
  });

  it('is filtered by a person who is named, and says if nobody or several people are meant', async () => {
    await open('/activity');
    const field = page.getByLabel('Person', { exact: true });
    const enter = async (text: string) => {
      await field.fill(text);
      await field.press('Enter');
    };
    await enter('nobody.here');
    await page.getByText('Nobody was found. Enter a username').waitFor();
    await enter('example');
    await page.getByText('Several people were found.').waitFor();
    expect(page.url()).toMatch(/activity$/);
    const { username, email } = preview.world.accounts.find(({ id }) => id === IDS.maria)!;
    await enter(email!.toUpperCase());
    await page.waitForURL(`**/activity?account=${IDS.maria}`);
    await enter('');
    await page.waitForURL('**/activity');
    await enter(username);
    await page.waitForURL(`**/activity?account=${IDS.maria}`);
    await waitUntil(async () => (await field.inputValue()) === username);
    await page.getByLabel('Request id').fill('4711');
    await page.getByLabel('Request id').press('Enter');
    await page.getByText('This isn’t an id. Enter the whole id.').waitFor();
  });

  it('shows the whole event on demand, with every hidden character visible', async () => {
    await open('/activity?kind=mail.abandoned');
    await page.getByRole('table').getByText('Details', { exact: true }).click();
    const text = await page.locator('.event-raw pre').innerText();
    expect(text).toContain('"kind": "mail.abandoned"');
    expect(text).toContain('[U+202E]unknown mailbox');
  });

  it('is live while the page is visible, with calls that do not keep the session alive', async () => {
    await beginApart();
    await page.clock.install({ time: NOW });
    await open('/activity');
    await page.getByRole('switch', { name: 'Live' }).check();
    const [newest] = preview.world.events;
    preview.world.events.unshift({ ...newest!, id: '9999', kind: 'account.enabled' });
    preview.world.answeredRequests = [];
    await page.clock.runFor(5_000);
    await page.getByRole('table').getByText('Account enabled again').waitFor();
    await page.getByText('1 new event').waitFor();
    expect(preview.world.answeredRequests.map(({ headers }) => headers['x-foyer-console'])).toEqual(['background']);
  });

  it('is downloaded page by page, and no cell is a formula', async () => {
    preview.world.events[0] = {
      ...preview.world.events[0]!,
      actor: 'operator:x',
      detail: { reason: '=HYPERLINK("http://evil")' },
    };
    await open('/activity?actor=operator');
    await button('Download').click();
    const downloaded = page.waitForEvent('download');
    await button('Start').click();
    const file = await readFile(await (await downloaded).path(), 'utf8');
    const count = preview.world.events.filter(({ actor }) => actor.startsWith('operator')).length;
    await dialog().getByText(`Finished: ${count} events are saved.`).waitFor();
    expect(file.split('\r\n')).toHaveLength(count + 2);
    expect(file).toContain(`"'=HYPERLINK(""http://evil"")"`);
  });

  it('can be stopped while it is downloaded', async () => {
    await open('/activity');
    await page.route('**/audit?*limit=200*', () => undefined);
    await button('Download').click();
    await button('Start').click();
    await button('Stop').click();
    await dialog().getByText('Stopped after 0 events.').waitFor();
  });
});

describe('a second operator', () => {
  beforeEach(async () => {
    await begin();
    preview.world.hasSecondOperator = true;
  });
  afterEach(async () => {
    await end();
    expect(complaints).toEqual([]);
  });

  it('is announced before an operation is asked for, and the operation then waits', async () => {
    await open(person);
    await page.locator('[data-action="factor_reset"]').click();
    await dialog().getByText('Another operator has to approve this first.').waitFor();
    await dialog().getByText('The operator who approves this gets a link').waitFor();
    expect(await button('Ask for approval', dialog()).getAttribute('class')).toBe('button primary');
    await giveReason('New phone');
    await button('Ask for approval', dialog()).click();
    await notice().getByText('Nothing has been done yet').waitFor();
    await notice().getByRole('link', { name: 'Show the operation' }).click();
    await page.getByRole('heading', { name: 'Reset of all second factors' }).waitFor();
    await page.getByText('New phone').waitFor();
    await page.getByText('You asked for this, so').waitFor();
    expect(await button('Approve').count()).toBe(0);
    await button('Withdraw').click();
    await giveReason('Found the phone');
    await button('Withdraw', dialog()).click();
    await notice().getByText('The operation was withdrawn.').waitFor();
    expect(preview.world.recordedCalls.at(-1)).toMatchObject({ operation: 'approvals.withdraw', reason: 'Found the phone' });
  });

  it('sees what the first one saw, approves it, and gets the link once', async () => {
    await open('/approvals');
    await page.getByRole('link', { name: 'Reset of all second factors' }).first().click();
    await page.getByText('attackers ask for exactly this').waitFor();
    await page.getByText('called back at the number in the directory').waitFor();
    await page.getByText('The person stopped the same request').waitFor();
    await button('Approve').click();
    await dialog().getByText('attackers ask for exactly this').waitFor();
    await giveReason('Spoke to her manager');
    await button('Approve', dialog()).click();
    await dialog('The operation was approved and carried out.').getByText('reset_token=').waitFor();
    await button('Done').click();
    await page.getByText('Decided by').waitFor();
    expect(await page.getByText('reset_token=').count()).toBe(0);
    expect(preview.world.recordedCalls.at(-1)).toMatchObject({ operation: 'approvals.approve', reason: 'Spoke to her manager' });
  });

  it('sees that the person has stopped it', async () => {
    await open('/approvals');
    await page.getByRole('row', { name: 'Stopped by the person' }).getByRole('link').click();
    await page.locator('dt', { hasText: 'Stopped by the person' }).waitFor();
    expect(await page.getByText(/Decided by|can be approved/i).count()).toBe(0);
  });

  it('comes from Today to what waits, in one step if only one thing does', async () => {
    const [open1] = preview.world.approvals.filter(({ state }) => state === 'open');
    preview.world.installation.todayRows = [{ kind: 'approvals', count: 1, names: [], id: open1?.id ?? '', since: null }];
    await open('/today');
    await page.getByRole('main').getByRole('link').click();
    await page.waitForURL(`**/approvals/${open1?.id}`);
  });

  it('is not mentioned where the installation wants none', async () => {
    preview.world.hasSecondOperator = false;
    await open(person);
    expect(await page.getByRole('link', { name: 'Approvals' }).count()).toBe(0);
    await page.locator('[data-action="factor_reset"]').click();
    await dialog().waitFor();
    await dialog().getByText('You get a link').waitFor();
    expect(await dialog().getByText('Another operator').count()).toBe(0);
  });
});

describe('searching', () => {
  beforeEach(() => begin());
  afterEach(async () => {
    await end();
    expect(complaints).toEqual([]);
  });

  it('again for the person who is shown, shows what has happened since', async () => {
    await open(person);
    const box = page.getByRole('combobox', { name: 'Search for people and apps' });
    const find = async (): Promise<void> => {
      await page.keyboard.press('/');
      await page.keyboard.type('maria musterfrau');
      await page.keyboard.press('Enter');
    };
    await find();
    await page.getByRole('heading', { level: 1, name: 'Maria Musterfrau' }).waitFor();
    expect(await page.locator('[data-action="unlock"]').count()).toBe(0);
    const maria = preview.world.accounts.find(({ id }) => id === IDS.maria);
    if (maria) maria.lock = { until: null };
    await find();
    await page.locator('[data-action="unlock"]').waitFor();
    expect(await box.inputValue()).toBe('maria musterfrau');
  });
});

describe('the reason of an action', () => {
  beforeEach(() => begin());
  afterEach(async () => {
    await end();
    expect(complaints).toEqual([]);
  });

  it('is begun with a click, sent with Enter, and proposed for the next action on the same person', async () => {
    await open(person);
    await page.locator('[data-action="mail_reset"]').click();
    await button('Asked by phone:', dialog()).click();
    await page.keyboard.type('forgot it');
    expect(await dialog().getByRole('group', { name: 'Begin with' }).count()).toBe(0);
    await page.keyboard.press('Shift+Enter');
    await page.keyboard.type('at home');
    await page.keyboard.press('Enter');
    await notice().getByText('It works until').waitFor();
    const reason = 'Asked by phone: forgot it\nat home';
    expect(preview.world.recordedCalls.at(-1)).toMatchObject({ operation: 'resets.mailPassword', reason });
    await page.locator('[data-action="end_sessions"]').first().click();
    expect(await dialog().getByLabel('Reason').inputValue()).toBe(reason);
    await page.keyboard.type('Laptop lost');
    await page.keyboard.press('Enter');
    await dialog().waitFor({ state: 'detached' });
    expect(preview.world.recordedCalls.at(-1)).toMatchObject({ operation: 'sessions.endAll', reason: 'Laptop lost' });
  });
});

describe('suggestions of the search box', () => {
  const box = () => page.getByRole('combobox', { name: 'Search for people and apps' });
  const options = () => page.getByRole('option');
  beforeEach(() => begin());
  afterEach(async () => {
    await end();
    expect(complaints).toEqual([]);
  });

  it('open the person who is chosen with the keys, and close with Escape', async () => {
    await open('/today');
    await page.keyboard.press('/');
    await page.keyboard.type('maria');
    await options().filter({ hasText: 'Maria Musterfrau' }).waitFor();
    await page.keyboard.press('ArrowDown');
    expect(await box().getAttribute('aria-activedescendant')).toBe(await page.locator('[aria-selected=true]').getAttribute('id'));
    await page.keyboard.press('Escape');
    await options().first().waitFor({ state: 'hidden' });
    expect(await box().inputValue()).toBe('maria');
    await page.keyboard.type(' m');
    await options().first().waitFor();
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Maria Musterfrau' }).waitFor();
    expect(await options().count()).toBe(0);
  });

  it('open with a click, and are asked for once when the typing pauses', async () => {
    await open('/today');
    const before = preview.world.answeredRequests.length;
    await box().pressSequentially('musterfr');
    await options().first().click();
    await page.getByRole('heading', { level: 1, name: 'Maria Musterfrau' }).waitFor();
    const asked = preview.world.answeredRequests.slice(before).filter(({ url }) => url.includes('/operator/v1/search'));
    expect(asked.at(-1)?.url).toContain('q=musterfr');
  });
});

describe('accounts', () => {
  beforeEach(() => begin());
  afterEach(async () => {
    await end();
    expect(complaints).toEqual([]);
  });

  it('are made, and their page opens; a name that is taken loses nothing of what was typed', async () => {
    await open('/people');
    await page.locator('[data-action="create"]').click();
    await dialog().locator('[type=submit]').click();
    await dialog().getByText('Please enter a username.').waitFor();
    await dialog().locator('[name=username]').fill('maria.musterfrau');
    await dialog().locator('[name=email]').fill('nora@example.org');
    await giveReason('Ticket 4');
    await dialog().getByText('Show as command').click();
    await dialog()
      .getByText("foyer account create --username maria.musterfrau --email nora@example.org --reason 'Ticket 4'")
      .waitFor();
    await dialog().locator('[type=submit]').click();
    await dialog().getByText('This username is taken').waitFor();
    await dialog().locator('[name=username]').fill('nora.neu');
    await dialog().locator('[type=submit]').click();
    await page.getByRole('heading', { level: 1, name: 'nora.neu' }).waitFor();
    await notice().getByText('The account of nora.neu is ready.').waitFor();
    expect(preview.world.recordedCalls).toEqual([
      expect.objectContaining({
        operation: 'accounts.create',
        reason: 'Ticket 4',
        body: { username: 'nora.neu', email: 'nora@example.org' },
      }),
    ]);
    await page.locator('[data-action="invite"]').waitFor();
  });

  it('are not made without the right', async () => {
    preview.world.rights = ['support'];
    await open('/people');
    expect(await page.locator('[data-action="create"]').count()).toBe(0);
  });

  it('are linked to a person of a source, and unlinked', async () => {
    await open(person);
    await page.locator('[data-action="link"]').click();
    await giveReason('Moves to the directory');
    await dialog().locator('[type=submit]').click();
    await dialog().getByText('Please choose a source.').waitFor();
    await dialog().locator('[name=source]').selectOption('staff');
    await dialog().locator('[name=person]').fill('nobody');
    await dialog().locator('[type=submit]').click();
    await dialog().getByText('The source has no such person').waitFor();
    await dialog().locator('[name=person]').fill('m.muster');
    await dialog().locator('[type=submit]').click();
    await notice().getByText('belongs to staff now.').waitFor();
    await page.locator('[data-action="unlink"]').click();
    await giveReason('Back again');
    await dialog().locator('[type=submit]').click();
    await notice().getByText('No password, passkey or provider is left').waitFor();
    expect(preview.world.recordedCalls.map(({ operation, body }) => [operation, body])).toEqual([
      ['source.link', { source: 'staff', username: 'm.muster' }],
      ['source.unlink', {}],
    ]);
  });
});

describe('the check of who is calling', () => {
  beforeEach(async () => {
    await begin();
    preview.world.hasSupportCheck = true;
  });
  afterEach(async () => {
    await end();
    expect(complaints).toEqual([]);
  });

  const answer = async (words: string) => {
    await dialog().last().getByLabel('The three words').fill(words);
    await button('Compare', dialog().last()).click();
  };

  it('is passed in the middle of a change, which keeps what was typed', async () => {
    await open(person);
    await page.locator('[data-action="change"]').click();
    await dialog().getByLabel('E‑mail address', { exact: true }).fill('new@example.org');
    await giveReason('Ticket 9');
    await dialog().getByText('You haven’t checked who is calling').waitFor();
    await dialog().locator('[data-action="begin-check"]').click();
    const begin = dialog().last();
    await begin.getByText('You don’t see them.').waitFor();
    expect(await begin.locator('[name=reason]').inputValue()).toBe('Ticket 9');
    await begin.locator('[name=reason]').fill('Call 4711');
    await begin.locator('[type=submit]').click();
    await answer('');
    await dialog().last().getByText('Please type the words.').waitFor();
    await answer('lantern river tulips');
    await dialog().last().getByText('2 tries are left.').waitFor();
    await answer('lantern river tulip');
    await dialog().getByText('You have checked who is calling.').waitFor();
    await dialog().locator('[type=submit]').click();
    await dialog().waitFor({ state: 'detached' });
    expect(preview.world.recordedCalls.map(({ operation, reason }) => [operation, reason])).toEqual([
      ['supportCheck.ask', 'Call 4711'],
      ['supportCheck.answer', 'Call 4711'],
      ['supportCheck.answer', 'Call 4711'],
      ['accounts.change', 'Ticket 9'],
    ]);
  });

  it('leaves its reason for the change, which can be another one', async () => {
    await open(person);
    await page.locator('[data-action="support_check"]').click();
    await giveReason('Call 4711');
    await dialog().locator('[type=submit]').click();
    await answer('lantern river tulip');
    await dialog().waitFor({ state: 'detached' });
    await page.locator('[data-action="factor_reset"]').click();
    await dialog().getByText('You have checked who is calling.').waitFor();
    expect(await dialog().getByLabel('Reason').inputValue()).toBe('Call 4711');
    await giveReason('Call 4711: new phone');
    await dialog().locator('[type=submit]').click();
    await button('Done').click();
    expect(preview.world.recordedCalls.at(-1)).toMatchObject({ operation: 'resets.factors', reason: 'Call 4711: new phone' });
    await page.locator('[data-action="end_sessions"]').first().click();
    expect(await dialog().getByLabel('Reason').inputValue()).toBe('Call 4711: new phone');
  });

  it('tells an operator who may not make the changes what to do instead', async () => {
    preview.world.rights = ['support'];
    await open(person);
    await page.locator('[data-action="support_check"]').click();
    await dialog().getByText('pass the call on to somebody with the right “Administration”').waitFor();
  });

  it('goes on after the page was left, for whoever has begun it', async () => {
    await open(person);
    await page.locator('[data-action="support_check"]').click();
    await giveReason('Call 4711');
    await dialog().locator('[type=submit]').click();
    await dialog().getByLabel('The three words').waitFor();
    await page.reload();
    await page.locator('[data-action="support_check"]').click();
    await dialog().getByLabel('The three words').fill('lantern river tulip');
    await giveReason('Call 4711');
    await dialog().locator('[type=submit]').click();
    await notice().getByText('It’s Maria Musterfrau who is calling').waitFor();
    expect(preview.world.recordedCalls.map(({ operation }) => operation)).toEqual(['supportCheck.ask', 'supportCheck.answer']);
  });

  it('ends after three wrong answers', async () => {
    await open(person);
    await page.locator('[data-action="support_check"]').click();
    await giveReason('Call 4711');
    await dialog().locator('[type=submit]').click();
    for (let left = 0; left < 3; left += 1) await answer(`wrong ${left}`);
    await dialog().getByText('the check has ended').waitFor();
    expect(await button('Compare', dialog()).count()).toBe(0);
  });

  it('without it a change waits, and the second operator sees why', async () => {
    await open(person);
    await page.locator('[data-action="factor_reset"]').click();
    await dialog().getByText('so this waits for 24 hours').waitFor();
    await dialog().getByText('The operator who approves this gets a link').waitFor();
    expect(
      await dialog()
        .getByText(/You get a link|attackers ask/)
        .count(),
    ).toBe(0);
    expect(await button('Ask for approval', dialog()).getAttribute('class')).toBe('button primary');
    await giveReason('New phone');
    await dialog().locator('[type=submit]').click();
    await notice().getByText('you haven’t checked who is calling').waitFor();
    await notice().getByRole('link', { name: 'Show the operation' }).click();
    await page.getByText('You asked for this, so').waitFor();
    expect(await page.getByText('so this can’t be approved yet').count()).toBe(0);
    preview.world.operator = { ...preview.world.operator, account_id: 'another' };
    await page.reload();
    await page.getByText('so this can’t be approved yet').waitFor();
    expect([await button('Approve').count(), (await button('Reject').count()) + (await button('Withdraw').count())]).toEqual([
      0, 1,
    ]);
  });

  it('is offered only where the installation has it', async () => {
    preview.world.hasSupportCheck = false;
    await open(person);
    await page.locator('[data-action="factor_reset"]').click();
    await dialog().waitFor();
    expect(await page.locator('[data-action="support_check"], [data-action="begin-check"]').count()).toBe(0);
  });
});

describe('the apps', () => {
  beforeEach(() => begin());
  afterEach(async () => {
    await end();
    expect(complaints).toEqual([]);
  });

  it('registers an app, shows its secret once, and leads to its page', async () => {
    await open('/apps');
    await button('Register an app').click();
    await button('Register the app').click();
    await dialog().getByText('Please enter a name.').waitFor();
    await dialog().getByLabel('Name', { exact: true }).fill('Intranet');
    await dialog().getByLabel('Addresses after the sign-in').fill('https://intranet.example.org/callback');
    await giveReason('Ticket 12');
    await dialog().getByText('Show as command').click();
    await dialog()
      .getByText(
        "foyer client create server --client-name Intranet --redirect-uri https://intranet.example.org/callback --reason 'Ticket 12'",
      )
      .waitFor();
    await button('Register the app').click();
    await dialog('Intranet is registered.').getByText('Zk3rQ0vX8mB2nT6yL1sW').waitFor();
    expect(preview.world.recordedCalls.at(-1)?.body).toEqual({
      preset: 'server',
      client_name: 'Intranet',
      redirect_uris: ['https://intranet.example.org/callback'],
    });
    await button('Done').click();
    await page.waitForURL('**/apps/new-app');
    expect(await page.getByText('Zk3rQ0vX8mB2nT6yL1sW').count()).toBe(0);
  });

  it('changes an app, and nothing if somebody else was quicker; what was typed stays', async () => {
    await open('/apps/shop');
    await button('Change').click();
    const [shop] = preview.world.clients;
    if (!shop) throw new Error('There is no app.');
    shop.version = 'changed by somebody else';
    await dialog().getByLabel('Name', { exact: true }).fill('Laden');
    await giveReason();
    await button('Save the changes').click();
    await dialog().getByText('Somebody else has changed the app in the meantime').waitFor();
    expect(await dialog().getByLabel('Name', { exact: true }).inputValue()).toBe('Laden');
    await button('Cancel').click();
    await button('Change').click();
    await dialog().getByLabel('Name', { exact: true }).fill('Laden');
    await giveReason();
    await button('Save the changes').click();
    await notice().getByText('Laden is changed.').waitFor();
    expect(preview.world.recordedCalls.at(-1)?.body).toEqual({ version: 'changed by somebody else', client_name: 'Laden' });
  });

  it('gives an app a new secret after it said that the former one ends at once', async () => {
    await open('/apps/shop');
    await button('New secret').click();
    await dialog().getByText('stops working at once').waitFor();
    await giveReason();
    await button('Create a new secret').click();
    await dialog('Shop has a new secret.').getByText('aN3wS3cr3tOfTheFixtures').waitFor();
    await button('Done').click();
    expect(await page.getByText('aN3wS3cr3tOfTheFixtures').count()).toBe(0);
  });

  it('deletes an app only with its id typed', async () => {
    await open('/apps/shop');
    await button('Delete').click();
    await giveReason();
    await button('Delete the app').click();
    await dialog().getByText('This isn’t the id of the app.').waitFor();
    await dialog().getByLabel('To confirm, enter the id of the app').fill('shop');
    await button('Delete the app').click();
    await notice().getByText('Shop is deleted.').waitFor();
    expect(new URL(page.url()).pathname).toBe('/console/apps');
    await page.getByRole('link', { name: 'Shop' }).waitFor({ state: 'detached' });
  });

  it('takes the access of a person away, and shows the app as another person would see it', async () => {
    await open('/apps/shop');
    await button('Remove access: maria.musterfrau').click();
    await giveReason('Phone was stolen');
    await button('Remove the access').click();
    await notice().waitFor();
    await button('Remove access: maria.musterfrau').waitFor({ state: 'detached' });
    expect(preview.world.recordedCalls.at(-1)).toMatchObject({ operation: 'accountApps.remove', reason: 'Phone was stolen' });
    await page.getByText('Choose another person').click();
    await page.getByRole('searchbox', { name: 'Person' }).fill('maria');
    await page.getByRole('radio', { name: /Maria Musterfrau/ }).check();
    await page.getByText('As seen by Maria Musterfrau').waitFor();
    await page.getByText('email: maria', { exact: false }).first().waitFor();
    await page.getByText('Everything that the app would learn').click();
    await page.getByRole('definition').filter({ hasText: 'locality: Wien' }).waitFor();
    expect(await page.getByRole('definition').filter({ hasText: /^yes$/ }).count()).toBe(1);
  });

  it('is found on the page of the apps, whose table then has only what was found', async () => {
    await open('/apps');
    await page.getByRole('link', { name: 'Mitarbeiterportal' }).waitFor();
    const box = page.getByRole('searchbox', { name: 'Find an app by its name or id' });
    await box.fill('Tele');
    await page.getByRole('link', { name: 'Mitarbeiterportal' }).waitFor({ state: 'detached' });
    await page.getByRole('row', { name: /Television.*without a secret/ }).waitFor();
    await box.fill('nobody');
    await page.getByText('No app was found.').waitFor();
    await box.fill('');
    await page.getByRole('link', { name: 'Mitarbeiterportal' }).waitFor();
  });

  it('is found by the search box', async () => {
    await open('/people');
    const box = page.getByRole('combobox', { name: 'Search for people and apps' });
    await box.fill('Television');
    await box.press('Enter');
    await page.waitForURL('**/apps/television');
    await page.getByRole('heading', { name: 'Television' }).waitFor();
    expect(await button('New secret').count()).toBe(0);
  });
});

describe('the installation', () => {
  beforeEach(() => begin());
  afterEach(async () => {
    await end();
    expect(complaints).toEqual([]);
  });

  it('grants a right until a day, and takes it away', async () => {
    await open('/installation');
    await page.waitForURL('**/installation/health');
    await page.getByRole('link', { name: 'Operators', exact: true }).click();
    await button('Grant a right').click();
    await button('Grant the right').click();
    await dialog().getByText('Please find and choose a person.').waitFor();
    await dialog().getByRole('searchbox', { name: 'Person' }).fill('maria');
    const maria = dialog().getByRole('radio', { name: /Maria Musterfrau/ });
    await maria.waitFor();
    await page.keyboard.press('Enter');
    expect(await maria.isChecked()).toBe(true);
    await dialog()
      .getByRole('radio', { name: /^Audit / })
      .check();
    await dialog().getByLabel('Last day').fill('2026-12-31');
    await giveReason('Yearly audit');
    await button('Grant the right').click();
    await notice().waitFor();
    expect(preview.world.recordedCalls.at(-1)).toMatchObject({
      operation: 'operators.grant',
      reason: 'Yearly audit',
      body: { right: 'auditor', ends_at: '2027-01-01T00:00Z' },
    });
    await button('Revoke: Audit, maria.musterfrau').click();
    await giveReason('Audit is over');
    await button('Revoke', dialog()).click();
    await button('Revoke: Audit, maria.musterfrau').waitFor({ state: 'detached' });
  });

  it('grants and takes away a right on the page of the person', async () => {
    await open(person);
    await page.getByText('this person can’t use the console').waitFor();
    await button('Grant a right').click();
    await dialog()
      .getByRole('radio', { name: /^Support / })
      .check();
    await giveReason('Joins the help desk');
    await page.keyboard.press('Enter');
    await button('Revoke: Support, maria.musterfrau').click();
    expect(preview.world.recordedCalls.at(-1)).toMatchObject({ operation: 'operators.grant', body: { right: 'support' } });
    await giveReason('Left the help desk');
    await button('Revoke', dialog()).click();
    await page.getByText('this person can’t use the console').waitFor();
  });

  it('shows rights to nobody who may not read them', async () => {
    preview.world.rights = ['support'];
    await open(person);
    await page.getByRole('heading', { name: 'Trusted browsers' }).waitFor();
    expect(await page.getByRole('heading', { name: 'Rights in this console' }).count()).toBe(0);
  });

  it('ends the session of an operator', async () => {
    await open('/installation/sessions');
    await button('End: sven.hilfe').click();
    await giveReason();
    await button('End the session').click();
    await notice().waitFor();
    expect(preview.world.operatorSessions.map(({ username }) => username)).toEqual(['olga.operator']);
  });

  it('says when a part is not in order', async () => {
    preview.world.health = { ...preview.world.health, upstream: 'unavailable' };
    await open('/installation/health');
    await page.getByText('A part isn’t in order').waitFor();
  });

  it('says what is wrong with a source', async () => {
    await open('/installation/sources');
    await page.getByText('cannot be used at ldaps://ldap.example.org').waitFor();
    preview.world.installation.sources = [];
    await button('Check again').click();
    await page.getByText('No user source and no provider is configured.').waitFor();
  });

  it('shows what a SCIM source has sent, and gives it the account that is in the way of a refused request', async () => {
    await open('/installation/sources');
    await page.getByText('1,412').waitFor();
    await page.getByText('34 times').waitFor();
    await page.locator('[data-action=scim_offer]').click();
    await page.getByText('Show as command').click();
    await page.getByText('foyer scim offer maria.musterfrau --source entra').waitFor();
    await giveReason();
    await button('Give').click();
    await notice().waitFor();
    expect(preview.world.recordedCalls).toContainEqual(
      expect.objectContaining({
        path: '/scim/offers',
        body: { account: IDS.maria, source: 'entra', external_id: 'c7a4f1de-0b1f-4a5e-9a57-5d0c0b6a8e11' },
      }),
    );
    await page.locator('[data-action=scim_dismiss]').first().click();
    await giveReason();
    await button('Dismiss').last().click();
    await page.getByText('34 times').waitFor({ state: 'detached' });
    expect(preview.world.installation.scim.faults).toHaveLength(1);
  });

  it('offers an account to a SCIM source by the address alone where naming another person would need a second operator', async () => {
    preview.world.hasSecondOperator = true;
    await open('/installation/sources');
    await page.locator('[data-action=scim_offer]').click();
    await giveReason();
    await button('Give').click();
    await notice().waitFor();
    const body = { account: IDS.maria, source: 'entra' };
    expect(preview.world.recordedCalls).toContainEqual(expect.objectContaining({ path: '/scim/offers', body }));
  });

  it('runs the doctor, and says that it runs already', async () => {
    await open('/installation/doctor');
    preview.world.fail(409, 'doctor_running', 'doctor.run');
    await button('Run the doctor').click();
    await page.getByText('The doctor is running already').waitFor();
    preview.world.failure = null;
    await button('Run the doctor').click();
    await page.getByText('1 fault', { exact: true }).waitFor();
    expect(await page.locator('.finding').count()).toBe(2);
    await page.getByLabel('Also show what is in order').check();
    expect(await page.locator('.finding').count()).toBe(4);
  });

  it('shows the settings, filtered, and of a secret only whether it is set', async () => {
    await open('/installation/settings');
    // Folded, until somebody unfolds a group or filters.
    await page.getByText('Storage').waitFor();
    expect(await page.getByRole('row').count()).toBe(0);
    await page.getByText('Storage').click();
    await page.getByText('DATABASE_URL').waitFor();
    await page.getByRole('searchbox', { name: 'Filter' }).fill('secret newest');
    await waitUntil(async () => (await page.getByRole('row').count()) === 2);
    expect(await page.getByRole('row').nth(1).innerText()).toMatch(/SECRETS_SYSTEM[^]*Set[^]*Environment/);
    await page.getByRole('searchbox', { name: 'Filter' }).fill('');
    await page.getByLabel('Only settings that are set').check();
    // Three groups, each with a head and a setting.
    await waitUntil(async () => (await page.getByRole('row').count()) === 6);
  });

  it('[INV-6] invites a person and those of a file, sends an invitation again and withdraws it', async () => {
    await open('/people');
    const menu = page.getByRole('navigation', { name: 'Pages' });
    await menu.getByRole('link', { name: 'Invitations' }).click();
    expect(await menu.locator('[aria-current]').allTextContents()).toEqual(['Invitations']);
    await page.getByText('An account has this address already.').waitFor();
    expect(await button(/^Send again: alt@/).count()).toBe(0);
    await button('Invite a person').click();
    await giveReason('New colleague');
    await button('Send the invitation', dialog()).click();
    await dialog().getByText('Enter the address to invite.').waitFor();
    await dialog().getByLabel('E‑mail address').fill('neu@example.org');
    await dialog().getByLabel('Groups (optional)').fill('Sales, Board');
    await dialog().getByText('Show as command').click();
    const command =
      "foyer invitation create neu@example.org --further-group Sales --further-group Board --days 7 --reason 'New colleague'";
    expect(await dialog().locator('.command code').textContent()).toBe(command);
    await button('Send the invitation', dialog()).click();
    await notice().waitFor();
    expect(preview.world.recordedCalls.at(-1)).toMatchObject({
      operation: 'invitations.create',
      reason: 'New colleague',
      body: { email: 'neu@example.org', groups: ['Sales', 'Board'], days: 7 },
    });
    await button('Invite from a file').click();
    const file = { name: 'people.txt', mimeType: 'text/plain' };
    const choose = (text: string) =>
      dialog()
        .locator('input[type=file]')
        .setInputFiles({ ...file, buffer: Buffer.from(text) });
    await choose('nobody');
    await dialog()
      .getByText(/Choose a file with an address/)
      .waitFor();
    await choose('nils@example.org\nneu@example.org\n');
    await dialog().getByText('2 people are invited.').waitFor();
    await giveReason('New colleagues');
    await button('Send the invitation', dialog()).click();
    await dialog().getByText('1 line was not accepted:').waitFor();
    await dialog()
      .getByText(/2: .*neu@example\.org/)
      .waitFor();
    await button('Close', dialog()).last().click();
    await button(/^Withdraw: nils@/).click();
    await giveReason('A mistake');
    await button('Withdraw', dialog()).click();
    await dialog().waitFor({ state: 'detached' });
    await button(/^Send again: spaet@/).click();
    await giveReason('Came back');
    await button('Send again', dialog()).click();
    await dialog().waitFor({ state: 'detached' });
    await page.getByLabel('Status', { exact: true }).selectOption('withdrawn');
    await page.waitForURL('**/people/invitations?state=withdrawn');
    await page.getByRole('cell', { name: /nils@example\.org/ }).waitFor();
  });

  it('lets a mail that did not arrive be tried again, and all of a cause', async () => {
    await open('/installation/mails?state=abandoned');
    await button(/^Try again: x/).click();
    await dialog().getByText('Show as command').click();
    expect(await dialog().locator('.command code').textContent()).toBe("foyer mail retry 640 --reason '…'");
    await giveReason('The mailbox exists now');
    await button('Try again', dialog()).click();
    await notice().waitFor();
    expect(preview.world.recordedCalls.at(-1)).toMatchObject({ operation: 'mails.retry', path: '/mails/640/retry' });
    await page.getByLabel('Status', { exact: true }).selectOption('');
    await page.waitForURL('**/installation/mails');
    await button('Try all again: The mail server can’t be reached').click();
    await dialog().getByText('2 mails are tried again.').waitFor();
    await giveReason();
    await button('Try all again', dialog()).click();
    await dialog().waitFor({ state: 'detached' });
    await page.getByText('2 mails are tried again.').waitFor();
    expect(preview.world.recordedCalls.at(-1)).toMatchObject({ body: { cause: 'server-unreachable' } });
  });

  it('pauses an event sink, shows what was given up, and sends events again', async () => {
    await open('/installation/events');
    await button('Pause: siem').click();
    await dialog().getByText('Show as command').click();
    expect(await dialog().locator('.command code').textContent()).toBe("foyer events pause siem --reason '…'");
    await giveReason('The log server moves');
    await button('Pause', dialog()).click();
    await page.getByText('siem is paused.').waitFor();
    await button('Resume: siem').waitFor();
    await page.getByRole('link', { name: 'Show events' }).first().click();
    await page.getByLabel('Status', { exact: true }).selectOption('dead');
    await page.waitForURL('**/installation/events?sink=crm&delivery=dead');
    await button('Send again: 48210').click();
    await giveReason();
    await button('Send again', dialog()).click();
    await page.getByText('1 event is sent again.').waitFor();
    expect(preview.world.recordedCalls.at(-1)).toMatchObject({ path: '/sinks/crm/deliveries/replay', body: { event: '48210' } });
    await button('Send again since …: crm').click();
    await giveReason();
    await button('Send again', dialog()).click();
    await page.getByText('12 events are sent again.').waitFor();
  });

  it('says that a mail was deleted meanwhile, and that a right was taken away', async () => {
    await open('/installation/mails');
    preview.world.installation.mails = [];
    await button('Try again: maria@example.org').click();
    await giveReason();
    await button('Try again', dialog()).click();
    await dialog().getByText('This mail doesn’t exist any more').waitFor();
    preview.world.rights = ['read'];
    await button('Try again', dialog()).click();
    await dialog().getByText('Your rights don’t allow this').waitFor();
    await button('Cancel', dialog()).click();
    await waitUntil(async () => (await button(/^Try again/).count()) === 0);
  });
});

describe('today', () => {
  beforeEach(() => begin());
  afterEach(async () => {
    await end();
    expect(complaints).toEqual([]);
  });

  it('is the first page, and each number leads to what it counts', async () => {
    const targets = {
      '1 part of the installation': '/installation/health',
      '1 source can’t be used': '/installation/sources',
      '1 event sink needs attention': '/installation/events',
      '2 requests of SCIM sources were refused': '/installation/sources',
      '2 operations wait': '/approvals',
      'More than 1,000 wrong passwords': '/activity?kind=password.refused&since=2026-11-27T13%3A05%3A00.000Z',
      '2 accounts are frozen': '/activity?kind=account.secured&since=2026-11-24T14%3A05%3A00.000Z',
      '1 mail was given up': '/installation/mails?state=abandoned',
      '2 mails wait': '/installation/mails?state=waiting',
      'The right of 1 administrator': '/installation/operators',
      '3 events within 7 days': '/activity?actor=operator%3Ahelpdesk&since=2026-11-20T14%3A05%3A00.000Z',
    };
    for (const [name, target] of Object.entries(targets)) {
      await open('/');
      await page.waitForURL('**/console/today');
      await page.getByRole('link', { name: new RegExp(`^${name}`) }).click();
      await page.waitForURL((url) => url.pathname !== '/console/today');
      expect(page.url()).toBe(`${preview.origin}/console${target}`);
    }
  });

  it('says that nothing needs attention, and checks again', async () => {
    preview.world.installation.todayRows = [];
    await open('/today');
    await page.getByText('Nothing needs attention').waitFor();
    preview.world.installation.todayRows = [{ kind: 'mails-abandoned', count: 1, names: [], id: null, since: null }];
    await button('Check again').click();
    await page.getByRole('link', { name: '1 mail was given up' }).waitFor();
  });
});
