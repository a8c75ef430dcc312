/** The other ways to sign in (LOG-2). Marks and colours are the providers' own; the stylesheet has them. */
import { FIELDS } from '../../src/contract/form-fields.js';
import type { LoginState } from '../../src/contract/page-state.js';
import { PATHS } from '../../src/contract/paths.js';
import { carryRemember } from '../browser/carry-remember.js';
import { phrase } from '../phrases/phrase.js';
import { usePhrases } from '../phrases/say.js';

export function LoginProviders({ login: { providers, login_challenge } }: { login: LoginState }) {
  const { text } = usePhrases();
  if (!providers) return null;
  return (
    <>
      <p className="or">{text('login.or')}</p>
      <div className="providers">
        {providers.map(({ id, name, brand }) => (
          <a
            key={id}
            className={brand ? `btn provider ${brand}` : 'btn'}
            href={`${PATHS.login}/${id}?${FIELDS.loginChallenge}=${encodeURIComponent(login_challenge)}`}
            onClick={carryRemember}
          >
            {brand && <span className="mark" />}
            <span>{text(phrase('login.with', { provider: name }))}</span>
          </a>
        ))}
      </div>
    </>
  );
}
