/** A whole installation and a Chromium for stories in a browser, for the time of the stories. */
import { afterAll, beforeAll } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { launchChromium } from './chromium.js';
import type { Installation } from './installation.js';

export interface BrowserStage<I extends Installation> {
  readonly installation: I;
  readonly chromium: Browser;
}

/**
 * For use inside `describe`; both are available only inside hooks and tests.
 * @param start called once
 * @param timeoutMs the time limit for the start and for the end
 */
export function browserStage<I extends Installation>(start: () => Promise<I>, timeoutMs: number): BrowserStage<I> {
  let opened: readonly [I, Browser] | undefined;

  beforeAll(async () => {
    const installation = await start();
    opened = [installation, installation.chromium ?? (await launchChromium())];
  }, timeoutMs);

  afterAll(async () => {
    const [installation, chromium] = opened ?? [];
    await (installation?.chromium ? closeContexts(installation.chromium) : chromium?.close());
    await installation?.close();
  }, timeoutMs);

  const getStarted = (): readonly [I, Browser] => {
    if (!opened) throw new Error('The installation is available only inside hooks and tests.');
    return opened;
  };
  return {
    get installation() {
      return getStarted()[0];
    },
    get chromium() {
      return getStarted()[1];
    },
  };
}

const closeContexts = (chromium: Browser) => Promise.all(chromium.contexts().map((context) => context.close()));

/**
 * For use inside `describe`, by stories that would close their installation.
 * @param start called once
 * @returns a function that gives the same installation and the same Chromium to all stories, inside hooks and tests
 */
export function shareInstallation<I extends Installation>(start: () => Promise<I>, timeoutMs: number): () => Promise<I> {
  let opened: readonly [I, Browser] | undefined;

  beforeAll(async () => {
    opened = await Promise.all([start(), launchChromium()]);
  }, timeoutMs);

  afterAll(async () => {
    await Promise.all((opened ?? []).map((part) => part.close()));
  }, timeoutMs);

  return () => {
    if (!opened) throw new Error('The installation is available only inside hooks and tests.');
    const [installation, chromium] = opened;
    return Promise.resolve({ ...installation, chromium, close: () => Promise.resolve() });
  };
}
