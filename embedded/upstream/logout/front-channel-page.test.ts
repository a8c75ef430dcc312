import { describe, expect, it } from '@jest/globals';
import { buildFrontChannelPage } from './front-channel-page.js';

describe('buildFrontChannelPage', () => {
  it('loads every address and continues to the next page', () => {
    const page = buildFrontChannelPage(
      ['https://a.example/out?iss=x&sid=1', 'https://b.example/out'],
      'https://a.example/bye?state=1&x=2',
    );
    expect(page).toContain('<iframe src="https://a.example/out?iss=x&amp;sid=1"');
    expect(page).toContain('<iframe src="https://b.example/out"');
    expect(page).toContain('URL=https://a.example/bye?state=1&amp;x=2"');
    expect(page).toContain('var remainingFrames = 2;');
  });

  it('lets no address become markup or script', () => {
    const maliciousUrl = `https://a.example/"'></script><script>alert(1)</script>\u2028`;
    const page = buildFrontChannelPage([maliciousUrl], maliciousUrl);
    expect(page.match(/<\/?script/g)).toHaveLength(2);
    expect(page).not.toContain('alert(1)</script>');
  });
});
