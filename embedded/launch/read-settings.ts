/**
 * Reads the settings for this start and, outside production, adds the missing secrets of the installation. If a banner is shown, the
 * log shows only warnings and errors, unless `LOG_LEVEL` is set.
 */
import type { Config } from '../../src/config/config.js';
import { withInstallationSecrets } from '../../src/config/installation-secrets.js';
import { loadConfig, type LoadedConfig } from '../../src/config/load-config.js';
import { hasValue, type Environment } from '../../src/config/settings-read.js';

/** @throws ConfigError */
export function readLaunchSettings(env: Environment): { config: Config; warnings: readonly string[] } {
  const { config, warnings } = loadDemo(env);
  const completeConfig = withInstallationSecrets(config);
  if (config.mode === 'production') return { config: completeConfig, warnings };
  const level = hasValue('LOG_LEVEL', env) ? config.log.level : 'warn';
  return {
    config: { ...completeConfig, log: { level } },
    // On a first try most values are defaults, so only warnings about values that were set are shown.
    warnings: warnings.filter((warning) => toNames(warning).some((name) => hasValue(name, env))),
  };
}

/** The demo offers every language that ships, unless LANGUAGES is set. */
function loadDemo(env: Environment): LoadedConfig {
  const result = loadConfig(env);
  return result.config.embedded && !hasValue('LANGUAGES', env) ? loadConfig({ ...env, LANGUAGES: 'all' }) : result;
}

function toNames(warning: string): string[] {
  return warning.slice(0, warning.indexOf(':')).split(', ');
}
