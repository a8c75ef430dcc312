/** The claims of a token or a consent page, and the settings of an app, each value in a readable form. */
import { useTranslation } from 'react-i18next';
import { Moment } from '../ui/moment.js';
import { UserText } from '../ui/user-text.js';

interface ClaimListProps {
  title: string;
  claims: Readonly<Record<string, unknown>>;
}

export function ClaimList({ title, claims }: ClaimListProps) {
  const { t } = useTranslation();
  const entries = Object.entries(claims);
  return (
    <>
      <h3>{title}</h3>
      {entries.length === 0 ? (
        <p className="muted">{t('apps.no_claims')}</p>
      ) : (
        <dl className="fact-list">
          {entries.map(([name, value]) => (
            <div key={name}>
              <dt>
                <UserText text={name} />
              </dt>
              <dd>
                <ClaimValue name={name} value={value} />
              </dd>
            </div>
          ))}
        </dl>
      )}
    </>
  );
}

/** Claims whose value is a time, in seconds since 1970 (RFC 7519, section 4.1, and OpenID Connect Core, sections 2 and 5.1). */
const TIMES = ['exp', 'iat', 'nbf', 'auth_time', 'updated_at'];
const MAX_LENGTH = 300;

interface ClaimValueProps {
  name: string;
  value: unknown;
}

/** @param name the name of the claim or setting, or of a member of its value */
export function ClaimValue({ name, value }: ClaimValueProps) {
  const { t } = useTranslation();
  if (value === null || value === undefined) return <span className="muted">{t('facts.none')}</span>;
  if (typeof value === 'boolean') return t(value ? 'value.yes' : 'value.no');
  if (typeof value === 'object') return <Members members={value} />;
  // An empty text is the number 0.
  const isBlank = typeof value === 'string' && value.trim() === '';
  const at = new Date(TIMES.includes(name) && !isBlank ? Number(value) * 1000 : Number.NaN);
  if (!Number.isNaN(at.getTime())) return <Moment at={at.toISOString()} isFirst />;
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return <UserText text={text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}…` : text} />;
}

/** The members of an object with their names, or the entries of a list. */
function Members({ members }: { members: object }) {
  const entries = Object.entries(members);
  if (entries.length === 0) return '–';
  return (
    <ul>
      {entries.map(([name, value]) => (
        <li key={name}>
          {!Array.isArray(members) && (
            <>
              <UserText text={name} />
              {': '}
            </>
          )}
          <ClaimValue name={name} value={value} />
        </li>
      ))}
    </ul>
  );
}
