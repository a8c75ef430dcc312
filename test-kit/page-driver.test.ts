import { describe, expect, it } from '@jest/globals';
import { PageDriver, type DrivenPage } from './page-driver.js';
import type { Person } from './people.js';

const FOYER = 'http://localhost:3000';
const HYDRA = 'http://localhost:4444';
const APP = 'http://localhost:1/callback';
const STATE = { page: 'login_hint', login_hint: { error: null } };

/** A browser that reaches the app with the last of this many clicks. */
class FakePage implements DrivenPage {
  clicks = 0;

  constructor(private readonly pages: number) {}

  url(): string {
    return this.clicks === this.pages ? APP : `${FOYER}/login`;
  }

  locator(): ReturnType<DrivenPage['locator']> {
    const ignore = (): Promise<void> => Promise.resolve();
    return {
      ...{ fill: ignore, check: ignore, uncheck: ignore, count: () => Promise.resolve(1) },
      getAttribute: () => Promise.resolve(JSON.stringify(STATE)),
      click: () => {
        this.clicks += 1;
        return Promise.resolve();
      },
    };
  }

  waitForEvent(): Promise<void> {
    return Promise.resolve();
  }
}

describe('the driver', () => {
  it('may reach the app with the answer of the last page that is allowed, and not later', async () => {
    const drive = (page: FakePage) => new PageDriver(page, {} as Person, {}).drive({ foyerUrl: FOYER, hydraPublicUrl: HYDRA });
    expect(await drive(new FakePage(15))).toEqual({ url: APP, page: null });
    const endless = new FakePage(16);
    await expect(drive(endless)).rejects.toThrow('still shows pages of Foyer or Hydra after 15 pages');
    expect(endless.clicks).toBe(15);
  });
});
