/** Creates the instruments of the catalogue on a meter, and drops attributes that the catalogue does not allow. */
import type { Attributes, Counter, Histogram, Meter, Observable } from '@opentelemetry/api';
import {
  INSTRUMENTS,
  type AttributesOf,
  type Bound,
  type CounterName,
  type HistogramName,
  type Instrument,
  type ObservedName,
} from '../catalogue.js';
import type { Reading } from '../telemetry.js';
import { cacheReading } from './cached-reading.js';

/** Bucket boundaries for durations in seconds, from the semantic conventions. */
const BUCKET_BOUNDARIES = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10];
const OTHER = '_OTHER';

type AttributeValues = Readonly<Record<string, string | number | boolean | undefined>>;

export class Instruments {
  readonly #meter: Meter;
  readonly #counters = new Map<string, Counter>();
  readonly #histograms = new Map<string, Histogram>();

  /** @param readTimeoutMs how long the reading of an observed instrument may take */
  constructor(
    meter: Meter,
    private readonly readTimeoutMs?: number,
  ) {
    this.#meter = meter;
    for (const [name, { kind, attributes }] of Object.entries<Instrument>(INSTRUMENTS)) {
      if (kind !== 'counter') continue;
      for (const combination of listCombinations(attributes)) this.count(name as CounterName, combination, 0);
    }
  }

  count<Name extends CounterName>(name: Name, attributes: AttributesOf<Name>, times: number): void {
    const { unit, about: description, attributes: bounds } = INSTRUMENTS[name];
    let counter = this.#counters.get(name);
    if (!counter) this.#counters.set(name, (counter = this.#meter.createCounter(name, { unit, description })));
    counter.add(times, pickAllowed(bounds, attributes));
  }

  record<Name extends HistogramName>(name: Name, value: number, attributes: AttributesOf<Name>): void {
    const { unit, about: description, attributes: bounds } = INSTRUMENTS[name];
    let histogram = this.#histograms.get(name);
    if (!histogram) {
      const advice = { explicitBucketBoundaries: BUCKET_BOUNDARIES };
      this.#histograms.set(name, (histogram = this.#meter.createHistogram(name, { unit, description, advice })));
    }
    histogram.record(value, pickAllowed(bounds, attributes));
  }

  observe<Name extends ObservedName>(name: Name, read: () => Reading<Name> | Promise<Reading<Name>>): void {
    const instrument: Instrument = INSTRUMENTS[name];
    const readCached = cacheReading(read, this.readTimeoutMs);
    this.#createObservable(name, instrument).addCallback(async (result) => {
      for (const { value, attributes } of (await readCached()) ?? [])
        result.observe(value, pickAllowed(instrument.attributes, attributes));
    });
  }

  #createObservable(name: string, { kind, unit, about: description }: Instrument): Observable {
    if (kind === 'observedCounter') return this.#meter.createObservableCounter(name, { unit, description });
    if (kind === 'observedSum') return this.#meter.createObservableUpDownCounter(name, { unit, description });
    return this.#meter.createObservableGauge(name, { unit, description });
  }
}

/**
 * Lists all attribute combinations of a counter, if they are known. Each starts at 0, because Prometheus sees no increase from an
 * absent value to 1.
 */
function listCombinations(attributes: Readonly<Record<string, Bound>>): AttributeValues[] {
  let combinations: AttributeValues[] = [{}];
  for (const [name, bound] of Object.entries(attributes)) {
    if (typeof bound === 'string') return [];
    combinations = combinations.flatMap((values) => bound.map((value) => ({ ...values, [name]: value })));
  }
  return combinations;
}

function pickAllowed(bounds: Readonly<Record<string, Bound>>, values: AttributeValues): Attributes {
  const attributes: Attributes = {};
  for (const name in bounds) {
    const value = values[name];
    const bound = bounds[name];
    if (value === undefined || bound === undefined) continue;
    attributes[name] = typeof bound === 'string' || bound.includes(value) ? value : OTHER;
  }
  return attributes;
}
