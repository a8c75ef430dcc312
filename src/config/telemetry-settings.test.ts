import { describe, expect, it } from '@jest/globals';
import { loadConfig, surveyConfig } from './load-config.js';
import type { Environment } from './settings-read.js';

const ENDPOINT = 'https://collector.example/otlp';
const TOKEN = 'kVd0pZ7m2QxR4tYb9NcW1sHfJ6gLu3Ea';

const toTelemetry = (env: Environment) => loadConfig(env).config.telemetry;
const findFaults = (env: Environment) => surveyConfig(env).faults.filter((fault) => /^(OTEL|METRICS)_/.test(fault));
const findProductionFaults = (env: Environment) => findFaults({ NODE_ENV: 'production', ...env });

describe('telemetry', () => {
  it('is off unless a setting enables it', () => {
    expect(toTelemetry({})).toEqual({ serviceName: 'foyer', resource: {} });
    expect(toTelemetry({ OTEL_EXPORTER_OTLP_ENDPOINT: ENDPOINT, OTEL_SDK_DISABLED: 'true' })).not.toHaveProperty('otlp');
    const envWithoutExporters = {
      OTEL_EXPORTER_OTLP_ENDPOINT: ENDPOINT,
      OTEL_TRACES_EXPORTER: 'none',
      OTEL_METRICS_EXPORTER: 'none',
    };
    expect(toTelemetry(envWithoutExporters)).toEqual({ serviceName: 'foyer', resource: {} });
  });

  it('is sent to a receiver with all its settings', () => {
    const env = {
      OTEL_EXPORTER_OTLP_ENDPOINT: `${ENDPOINT}/`,
      OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20abc, x-tenant=one=two',
      OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
      OTEL_TRACES_SAMPLER_ARG: '0.25',
      OTEL_METRIC_EXPORT_INTERVAL: '15000',
      OTEL_RESOURCE_ATTRIBUTES: 'service.name=anmeldung,deployment.environment.name=probe',
    };
    expect(toTelemetry(env)).toEqual({
      serviceName: 'anmeldung',
      resource: { 'service.name': 'anmeldung', 'deployment.environment.name': 'probe' },
      otlp: {
        endpoint: ENDPOINT,
        headers: { authorization: 'Bearer abc', 'x-tenant': 'one=two' },
        timeoutMs: 10_000,
        traces: true,
        metrics: true,
        metricIntervalMs: 15_000,
        sampler: { name: 'parentbased_traceidratio', ratio: 0.25 },
      },
    });
    expect(toTelemetry({ ...env, OTEL_SERVICE_NAME: 'foyer-2' }).serviceName).toBe('foyer-2');
  });

  it('can be scraped by Prometheus alone, in addition to a receiver, or instead of one', () => {
    expect(toTelemetry({ OTEL_METRICS_EXPORTER: 'prometheus', METRICS_TOKEN: TOKEN })).toEqual({
      serviceName: 'foyer',
      resource: {},
      prometheus: { token: TOKEN },
    });
    const bothExporters = { OTEL_EXPORTER_OTLP_ENDPOINT: ENDPOINT, OTEL_METRICS_EXPORTER: 'otlp, prometheus' };
    expect(toTelemetry(bothExporters)).toMatchObject({ prometheus: {}, otlp: { metrics: true, traces: true } });
    const onlyPrometheus = { OTEL_EXPORTER_OTLP_ENDPOINT: ENDPOINT, OTEL_METRICS_EXPORTER: 'prometheus' };
    expect(toTelemetry(onlyPrometheus)).toMatchObject({ prometheus: {}, otlp: { metrics: false, traces: true } });
  });
});

describe('wrong settings of telemetry', () => {
  it.each<[Environment, RegExp]>([
    [{ METRICS_TOKEN: TOKEN }, /^METRICS_TOKEN: requires OTEL_METRICS_EXPORTER=prometheus/],
    [{ OTEL_EXPORTER_OTLP_HEADERS: 'a=b' }, /^OTEL_EXPORTER_OTLP_HEADERS: requires/],
    [{ OTEL_TRACES_SAMPLER: 'always_on' }, /^OTEL_TRACES_SAMPLER: requires/],
    [{ OTEL_METRICS_EXPORTER: 'otlp' }, /^OTEL_METRICS_EXPORTER: requires/],
    [{ OTEL_METRICS_EXPORTER: 'none,prometheus' }, /^OTEL_METRICS_EXPORTER: cannot combine none/],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: ENDPOINT, OTEL_TRACES_SAMPLER_ARG: '0.5' }, /^OTEL_TRACES_SAMPLER_ARG: requires/],
    [{ OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' }, /^OTEL_EXPORTER_OTLP_PROTOCOL: "grpc" is not one of http\/json/],
    [{ OTEL_EXPORTER_OTLP_HEADERS: 'geheim' }, /^OTEL_EXPORTER_OTLP_HEADERS: the value is not a list/],
    [{ OTEL_RESOURCE_ATTRIBUTES: 'a=1,a=2' }, /has the same name twice/],
    [{ OTEL_TRACES_SAMPLER_ARG: '1.5' }, /is not a number from 0 to 1/],
  ])('are reported: %j', (env, fault) => {
    const faults = findFaults(env);
    expect(faults).toEqual(expect.arrayContaining([expect.stringMatching(fault)]));
    expect(faults.join()).not.toContain('geheim');
  });

  it('prevent the start in production if headers would be sent over plain http, and cause a warning elsewhere', () => {
    const plainHttpEnv = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318', OTEL_EXPORTER_OTLP_HEADERS: 'authorization=x' };
    expect(findProductionFaults(plainHttpEnv)).toEqual([
      expect.stringMatching(/^OTEL_EXPORTER_OTLP_HEADERS: would be sent over plain http/),
    ]);
    expect(findProductionFaults({ ...plainHttpEnv, OTEL_EXPORTER_OTLP_ENDPOINT: 'http://localhost:4318' })).toEqual([]);
    expect(findProductionFaults({ ...plainHttpEnv, OTEL_EXPORTER_OTLP_ENDPOINT: 'https://collector:4318' })).toEqual([]);
    expect(findProductionFaults({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318' })).toEqual([]);
    expect(loadConfig(plainHttpEnv).warnings.join()).toContain('would be sent over plain http');
  });

  it('include the port of gRPC, which is not supported and causes a warning', () => {
    const findWarnings = (endpoint: string) => loadConfig({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint }).warnings.join();
    expect(findWarnings('http://localhost:4317')).toMatch(/OTEL_EXPORTER_OTLP_ENDPOINT: 4317 is the port for gRPC.*4318/);
    expect(findWarnings('http://localhost:4318')).not.toContain('gRPC');
  });

  it('prevent the start in production if the token of the metrics is weak, or also opens the operator API', () => {
    const prometheus = { OTEL_METRICS_EXPORTER: 'prometheus' };
    expect(findProductionFaults({ ...prometheus, METRICS_TOKEN: 'short' })).toEqual([
      expect.stringMatching(/^METRICS_TOKEN: the token is shorter/),
    ]);
    const faults = surveyConfig({ NODE_ENV: 'production', ...prometheus, METRICS_TOKEN: TOKEN, OPERATOR_TOKEN: TOKEN }).faults;
    expect(faults).toEqual(
      expect.arrayContaining([expect.stringMatching(/METRICS_TOKEN: the token equals the token in OPERATOR_TOKEN/)]),
    );
  });

  it('are distinguished from variables that the exporter reads itself', () => {
    const warnings = loadConfig({
      OTEL_EXPORTER_OTLP_ENDPOINT: ENDPOINT,
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: ENDPOINT,
      OTEL_EXPORTER_OTLP_CERTIFICATE: '/etc/ca.pem',
      OTEL_PROPAGATORS: 'tracecontext',
    }).warnings.filter((warning) => warning.startsWith('OTEL_'));
    expect(warnings).toEqual([expect.stringMatching(/^OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: is not a setting/)]);
  });
});
