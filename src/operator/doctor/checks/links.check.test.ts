import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from '@jest/globals';
import { testConfig } from '../../../../test/support/test-config.js';
import type { Examination } from '../examination.js';
import { linksCheck } from './links.check.js';

it('[LKS-6] the doctor reports an empty footer, also if there is a logo', async () => {
  const server = createServer((_, response) => response.writeHead(200, { 'Content-Type': 'image/png' }).end());
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
  try {
    const logoUrl = `http://localhost:${(server.address() as AddressInfo).port}/logo.png`;
    const config = testConfig(({ app }) => ({ app: { ...app, footer: [], logoUrl } }));
    expect(await linksCheck.run({ config } as unknown as Examination)).toMatchObject([
      { level: 'hint', what: 'The footer is empty.' },
      { level: 'ok', what: 'The only link of the pages answers.' },
    ]);
  } finally {
    server.close();
  }
});
