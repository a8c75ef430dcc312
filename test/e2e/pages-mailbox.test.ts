/** The mailbox of the demo in a real Chromium: a mail is completely visible, and a hostile one does no harm. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { createTransport, type Transporter } from 'nodemailer';
import type { Browser, Page } from 'playwright-core';
import { startMailbox, type Mailbox } from '../../embedded/mailbox/start-mailbox.js';
import { launchChromium } from '../support/chromium.js';
import { MAIL_SAMPLES } from '../support/mail-samples.js';

const MAX_PX = 20_000;

let mailbox: Mailbox;
let mailer: Transporter;
let browser: Browser;

beforeAll(async () => {
  mailbox = await startMailbox({ host: 'localhost', smtpPort: 0, webPort: 0 });
  mailer = createTransport(mailbox.smtpUrl);
  browser = await launchChromium();
});

afterEach(async () => {
  await fetch(`${mailbox.url}/api/v1/messages`, { method: 'DELETE' });
});

afterAll(async () => {
  mailer.close();
  await Promise.all([browser.close(), mailbox.close()]);
});

async function open(html: string, options: Parameters<Browser['newContext']>[0] = {}): Promise<Page> {
  const context = await browser.newContext(options);
  await mailer.sendMail({ from: 'a@example.org', to: 'b@example.org', subject: 'Test', text: 'Text', html });
  const page = await context.newPage();
  await page.goto(`${mailbox.url}/message/latest`);
  return page;
}

/** Waits until the frame has the height of its mail. */
const waitForFrameHeight = (page: Page): Promise<void> => page.locator('iframe[style]').waitFor();

const sizes = (page: Page) =>
  page.evaluate<{ frame: number; mail: number; width: number }>(`(() => {
    const frame = document.querySelector('iframe');
    const { scrollHeight, scrollWidth } = frame.contentDocument.documentElement;
    return { frame: frame.clientHeight, mail: scrollHeight, width: scrollWidth - frame.clientWidth };
  })()`);

const [LONGEST = ''] = MAIL_SAMPLES.map(({ mail }) => mail('de').html).sort((one, other) => other.length - one.length);

describe('a mail', () => {
  it.each([390, 1280])('is completely visible in a window of %d pixels, and after the window has changed', async (width) => {
    const page = await open(LONGEST, { viewport: { width, height: 700 } });
    await waitForFrameHeight(page);
    const { frame, mail, width: overflow } = await sizes(page);
    expect([frame - mail, overflow]).toEqual([0, 0]);
    expect(frame).toBeGreaterThan(500);
    // This listener runs after that of the page, which was added first.
    const resized = page.evaluate("new Promise((resolve) => addEventListener('resize', () => resolve()))");
    await page.setViewportSize({ width: 320, height: 700 });
    await resized;
    const narrow = await sizes(page);
    expect([narrow.frame - narrow.mail, narrow.width]).toEqual([0, 0]);
    await page.context().close();
  });

  it('is on a separate page without script', async () => {
    const page = await open(LONGEST, { javaScriptEnabled: false, locale: 'en-GB' });
    await page.getByRole('link', { name: 'Open the message on a page of its own' }).click();
    await page.waitForURL(/\/message\/[^/]+\/html$/);
    await page.context().close();
  });

  it('is cut if it grows with its frame, or is endless', async () => {
    const endless = await open('<p style="height: 5000000px">long</p>');
    await waitForFrameHeight(endless);
    expect((await sizes(endless)).frame).toBe(MAX_PX);
    const growing = await open('<style>html { height: calc(100vh + 50px) }</style><p>growing</p>');
    await waitForFrameHeight(growing);
    expect((await sizes(growing)).frame).toBeLessThan(1000);
    await Promise.all([endless, growing].map((page) => page.context().close()));
  });

  it('runs no script, submits no form and navigates its window nowhere', async () => {
    const page =
      await open(`<!doctype html><script>parent.document.title = 'script'</script><img src=x onerror="parent.document.title = 'event'">
      <a href="javascript:parent.document.title = 'link'" target="_self">press</a>
      <form action="/delete" method="post"><button>send</button></form><meta http-equiv="refresh" content="0; url=/delete">`);
    await waitForFrameHeight(page);
    const mail = page.frameLocator('iframe');
    await mail.getByText('press').click();
    await mail.getByText('send').click();
    expect(await page.title()).toBe('Test');
    expect(page.url()).toBe(`${mailbox.url}/message/latest`);
    const { total } = (await (await fetch(`${mailbox.url}/api/v1/messages`)).json()) as { total: number };
    expect(total).toBe(1);
    await page.context().close();
  });
});
