/** What the OAuth server says about an app's request (ERR-5). Anyone can write such an address: its words are only quoted. */
import type { OAuthErrorPage } from '../../src/contract/page-state.js';
import { phrase } from '../phrases/phrase.js';
import { usePhrases } from '../phrases/say.js';
import { Facts } from '../ui/facts.js';
import { UnpluggedIcon } from '../ui/icons.js';
import { Sign } from '../ui/sign.js';
import { WayOn } from '../ui/way-on.js';

export const heading = () => phrase('oauth_error.heading');

export function Page({ state: { oauth_error: error, app } }: { state: OAuthErrorPage }) {
  const { text } = usePhrases();
  const hasFacts = error.error !== '' || error.error_description !== '';
  return (
    <div className="flow">
      <Sign heading={heading()} outcome={{ tone: 'danger', Icon: UnpluggedIcon }}>
        <p>
          {text('oauth_error.text')} {hasFacts && text('oauth_error.pass_on')}
        </p>
      </Sign>
      <Facts
        facts={[
          { name: 'facts.error', value: error.error },
          { name: 'facts.description', value: error.error_description },
        ]}
      />
      <WayOn app={app} />
    </div>
  );
}
