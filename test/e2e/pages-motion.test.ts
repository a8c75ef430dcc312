/** What moves on the pages and from page to page, what stays in place, and that nothing moves under reduced motion. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { FIXTURES } from '../../web/fixtures/index.js';
import { PageLoads } from '../support/page-loads.js';

let loads: PageLoads;

beforeAll(async () => {
  loads = await PageLoads.start();
});
afterAll(() => loads.end());
afterEach(() => loads.context.close());

const count = (expression: string) => loads.page.evaluate<number>(expression);
const RUNNING = 'document.getAnimations().length';

/** The elements with an animation or a transition that takes time, or with a transform. */
const MOVED = `[...document.querySelectorAll('*')].flatMap((element) => ['', '::before', '::after'].map((part) => {
    const { animationName, transitionDuration, transform } = getComputedStyle(element, part || null);
    const isStill = animationName === 'none' && transform === 'none' && /^0s(, 0s)*$/.test(transitionDuration);
    return isStill ? '' : element.tagName + '.' + element.className + part;
  })).filter(Boolean)`;

/** Pages with a spinner, a picture of a key, a temporary banner or a changed row, and with links and buttons to point at. */
const MOVING = ['manage-mfa-success', 'manage-password-success', 'mfa-key', 'mfa-reset-limited', 'manage-mfa', 'manage-password'];

describe('[GEN-13] under reduced motion', () => {
  beforeEach(() => loads.newPerson({ reducedMotion: 'reduce' }));

  it.each(MOVING)('%s: nothing is animated', async (name) => {
    await loads.open(name);
    expect(await loads.page.evaluate<string[]>(MOVED)).toEqual([]);
    expect(await count(RUNNING)).toBe(0);
  });

  it('a link and a button that are hovered and pressed stay in place', async () => {
    await loads.open('manage-mfa');
    for (const selector of ['a.back', 'a.btn']) {
      await loads.page.hover(selector);
      await loads.page.mouse.down();
      expect(await loads.page.evaluate<string[]>(MOVED)).toEqual([]);
    }
  });

  it('the spinner of a busy button stands still', async () => {
    await loads.open('logout');
    await loads.recordPosts('hold');
    // Runs in the page, because the steps of Playwright would wait for the delayed answer.
    const moved = await loads.page.evaluate<string[]>(`(async () => {
      document.querySelector('.btn.primary').click();
      while (!document.querySelector('.btn .spinner')) await new Promise(requestAnimationFrame);
      return ${MOVED};
    })()`);
    expect(moved).toEqual([]);
  });
});

describe('with motion', () => {
  beforeEach(() => loads.newPerson({ reducedMotion: 'no-preference' }));

  it('[MAN-8] the changed row is marked, and the mark fades by itself', async () => {
    await loads.open('manage-password-success');
    const marked = loads.page.locator('.changed');
    expect(await marked.count()).toBe(1);
    expect(await marked.textContent()).toContain('Password');
    const background = () => loads.page.evaluate<string>(`getComputedStyle(document.querySelector('.changed')).backgroundColor`);
    expect(await background()).not.toBe('rgba(0, 0, 0, 0)');
    await loads.page.evaluate('document.getAnimations().forEach((animation) => animation.finish())');
    expect(await background()).toBe('rgba(0, 0, 0, 0)');
  });
});

/** One state of every page of a flow; the account area has another width, and another place for the top row. */
const FLOW_STATES = [...new Map(FIXTURES.map(({ name, state }) => [state('en').page, name]))]
  .filter(([page]) => !page.startsWith('manage'))
  .map(([, name]) => name);
const WINDOWS = [
  { width: 1280, height: 900 },
  { width: 1280, height: 500 },
  { width: 700, height: 900 },
  { width: 390, height: 844 },
];
/**
 * The parts that a change of the page moves separately. A browser may show a page before it has read all of it, and moves only what is
 * there then.
 */
const WATCH_CHANGE = `addEventListener('pagereveal', ({ viewTransition }) => {
  globalThis.wasWhole = document.querySelector('.foot') !== null;
  globalThis.moved = viewTransition && viewTransition.ready.then(() => document.getAnimations()
    .map(({ effect: { pseudoElement } }) => (/^::view-transition-group\\((.*)\\)$/.exec(pseudoElement) || [])[1])
    .filter(Boolean).sort());
});`;

describe('[GEN-14] from page to page', () => {
  beforeEach(() => loads.newPerson({ reducedMotion: 'no-preference' }));

  it('the top row is at the same place on every page of a flow, whatever the window', async () => {
    const corners: string[][] = WINDOWS.map(() => []);
    for (const name of FLOW_STATES) {
      await loads.open(name);
      for (const [index, size] of WINDOWS.entries()) {
        await loads.page.setViewportSize(size);
        // The corner of the page, because a field further down may have been scrolled into view.
        const corner = await loads.page.evaluate<number[]>(
          `(({ x, y }) => [x, y + scrollY])(document.querySelector('.brand').getBoundingClientRect())`,
        );
        corners[index]?.push(String(corner));
      }
    }
    expect(FLOW_STATES.length).toBeGreaterThan(15);
    expect(corners).toEqual(corners.map(([first]) => FLOW_STATES.map(() => first)));
  });

  const listMovedParts = async () => {
    await loads.page.addInitScript(WATCH_CHANGE);
    do {
      await loads.open('login-plain');
      // A page that was left before it was ever drawn has nothing to move from; under load its script may be ready before that.
      await loads.page.waitForFunction(`'wasWhole' in globalThis`);
      await loads.page.evaluate(`location.href = '${loads.address('mfa-totp')}'`);
      await loads.page.getByRole('heading', { name: 'Enter the code' }).waitFor();
    } while (!(await loads.page.evaluate<boolean>('globalThis.wasWhole')));
    return loads.page.evaluate<string[] | null>('globalThis.moved');
  };

  it('logo, card and footer are moved separately, so that none is visible twice', async () => {
    expect(await listMovedParts()).toEqual(expect.arrayContaining(['brand', 'card', 'foot']));
  });

  it('[GEN-13] nothing is moved, under reduced motion', async () => {
    await loads.context.close();
    await loads.newPerson({ reducedMotion: 'reduce' });
    expect(await listMovedParts()).toBeNull();
  });
});
