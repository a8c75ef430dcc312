/** Creates the samplers of the OpenTelemetry specification by their names in `OTEL_TRACES_SAMPLER`. */
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  type Sampler,
} from '@opentelemetry/sdk-trace';
import type { Config } from '../../config/config.js';

type SamplerSettings = NonNullable<Config['telemetry']['otlp']>['sampler'];

export function toSampler({ name, ratio }: SamplerSettings): Sampler {
  const root = toRoot(name.replace(/^parentbased_/, ''), ratio);
  return name.startsWith('parentbased_') ? new ParentBasedSampler({ root }) : root;
}

function toRoot(name: string, ratio: number): Sampler {
  if (name === 'always_off') return new AlwaysOffSampler();
  return name === 'traceidratio' ? new TraceIdRatioBasedSampler(ratio) : new AlwaysOnSampler();
}
