/** Measures when a person with a slow connection and a slow machine sees the page, in a Chromium that throttles network and CPU. */
import type { Browser } from 'playwright-core';
import { launchChromium } from '../support/chromium.js';

export interface FirstPaint {
  paintMs: number;
  contentfulMs: number;
  /** The time until the page is hydrated. */
  readyMs: number;
  requests: number;
  /** Including headers. */
  wireBytes: number;
}

/** The preset "Slow 4G" of the developer tools of browsers. */
const SLOW_4G = { offline: false, latency: 150, downloadThroughput: 1_600_000 / 8, uploadThroughput: 750_000 / 8 };
const CPU_SLOWDOWN = 4;

const READ_PAINT_TIMES = `new Promise((resolve) => {
  const findStart = (list, name) => list.getEntriesByName(name)[0]?.startTime;
  new PerformanceObserver((_, observer) => {
    const [paint, contentful, ready] = ['first-paint', 'first-contentful-paint', 'foyer-ready'].map((name) => findStart(performance, name));
    if (contentful === undefined || ready === undefined) return;
    observer.disconnect();
    resolve([paint, contentful, ready]);
  }).observe({ entryTypes: ['paint', 'mark'] });
  performance.mark('bench-looks');
})`;

/**
 * @param urls one address for each run, and one more for the warm-up
 * @returns the run with the median first contentful paint
 */
export async function measureFirstPaint(urls: readonly string[]): Promise<FirstPaint> {
  const browser = await launchChromium();
  try {
    const results: FirstPaint[] = [];
    // The first run warms up the browser and does not count.
    for (const url of urls) results.push(await paintOnce(browser, url));
    const sorted = results.slice(1).sort((one, other) => one.contentfulMs - other.contentfulMs);
    const middle = sorted[Math.floor(sorted.length / 2)];
    if (!middle) throw new RangeError('There must be at least one run.');
    return middle;
  } finally {
    await browser.close();
  }
}

async function paintOnce(browser: Browser, url: string): Promise<FirstPaint> {
  const context = await browser.newContext({ locale: 'en-US' });
  try {
    const page = await context.newPage();
    const devtools = await context.newCDPSession(page);
    const counted = { requests: 0, wireBytes: 0 };
    devtools.on('Network.loadingFinished', ({ encodedDataLength }) => {
      counted.requests++;
      counted.wireBytes += encodedDataLength;
    });
    await devtools.send('Network.enable');
    await devtools.send('Network.emulateNetworkConditions', SLOW_4G);
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN });
    await page.goto(url, { waitUntil: 'load' });
    const [paintMs = 0, contentfulMs = 0, readyMs = 0] = await page.evaluate<number[]>(READ_PAINT_TIMES);
    return { paintMs, contentfulMs, readyMs, ...counted };
  } finally {
    await context.close();
  }
}
