/** Text of twice the size on the narrowest page (WCAG 2.2, 1.4.4 and 1.4.10 together): every word stays visible. */
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { FIXTURES } from '../../web/fixtures/index.js';
import { PageLoads } from '../support/page-loads.js';

const STATES = FIXTURES.map(({ name, state }) => ({ name, page: state('en').page })).filter(
  ({ name, page }, index, all) => name.includes('long') || all.findIndex((other) => other.page === page) === index,
);

let loads: PageLoads;

beforeAll(async () => {
  loads = await PageLoads.start(['--blink-settings=defaultFontSize=32,defaultFixedFontSize=26']);
  await loads.newPerson({ viewport: { width: 320, height: 640 } });
});
afterAll(() => loads.end());

it.each([...STATES, { name: 'manage-devices-trusted' }, { name: 'manage-address-row-unverified' }])(
  '$name needs no sideways scrolling',
  async ({ name }) => {
    await loads.open(name, 'de');
    const seen = 'getComputedStyle(document.documentElement).fontSize + document.documentElement.scrollWidth';
    expect(await loads.page.evaluate<string>(seen)).toBe('32px320');
  },
);
