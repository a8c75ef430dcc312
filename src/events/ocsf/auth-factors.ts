/** Maps the factors of a proof to OCSF, from one kind of factor (`factor`, `method`) or from the `amr` values of a sign-in (RFC 8176). */

interface AuthFactor {
  factor_type_id: number;
  factor_type: string;
  is_totp?: true;
  provider?: string;
  [name: string]: string | number | boolean | undefined;
}

const PASSWORD: AuthFactor = { factor_type_id: 11, factor_type: 'Password' };
const OTP: AuthFactor = { factor_type_id: 7, factor_type: 'OTP' };
const TOTP: AuthFactor = { ...OTP, is_totp: true };
const EMAIL: AuthFactor = { factor_type_id: 8, factor_type: 'Email' };
const WEBAUTHN: AuthFactor = { factor_type_id: 10, factor_type: 'WebAuthn' };
const RECOVERY: AuthFactor = { factor_type_id: 99, factor_type: 'Recovery code' };
const FEDERATION: AuthFactor = { factor_type_id: 99, factor_type: 'Federated' };

const FACTORS_BY_NAME: Readonly<Record<string, AuthFactor>> = {
  'email-code': EMAIL,
  'email-code-setup': EMAIL,
  fido2: WEBAUTHN,
  mail: EMAIL,
  passkey: WEBAUTHN,
  password: PASSWORD,
  recovery: RECOVERY,
  totp: TOTP,
  'totp-setup': TOTP,
};

const FACTORS_BY_AMR: Readonly<Record<string, AuthFactor>> = {
  fed: FEDERATION,
  hwk: WEBAUTHN,
  mail: EMAIL,
  otp: OTP,
  pwd: PASSWORD,
  swk: WEBAUTHN,
};

/** @returns attributes of Authentication or Account Change; none if the detail has no `amr` and names no known factor */
export function toAuthFactors(detail: Readonly<Record<string, unknown>>): { auth_factors?: AuthFactor[]; is_mfa?: boolean } {
  const { amr, factor, method } = detail;
  if (Array.isArray(amr)) {
    const values = amr.map(String);
    const factors = values.flatMap((value) => findFactor(FACTORS_BY_AMR, value) ?? []);
    return { is_mfa: values.includes('mfa'), ...(factors.length > 0 ? { auth_factors: factors } : {}) };
  }
  const authFactor = findFactor(FACTORS_BY_NAME, factor) ?? findFactor(FACTORS_BY_NAME, method);
  return authFactor ? { auth_factors: [authFactor] } : {};
}

function findFactor(table: Readonly<Record<string, AuthFactor>>, name: unknown): AuthFactor | undefined {
  return typeof name === 'string' && Object.hasOwn(table, name) ? table[name] : undefined;
}
