/** Parses faults and warnings of the configuration, which begin with the names of their settings and a colon. */
const SECRETS = /^(SECRETS_SYSTEM|OPERATOR_TOKENS?|HYDRA_ADMIN_TOKEN)\b/;

export function toName(text: string): string {
  return text.slice(0, Math.max(text.indexOf(':'), 0));
}

export function isAboutSecrets(text: string): boolean {
  return SECRETS.test(text);
}

export function toSentence(text: string): string {
  return /[.?!]$/.test(text) ? text : `${text}.`;
}
