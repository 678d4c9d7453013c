import { describe, expect, it } from '@jest/globals';
import { MetricSamples } from '../../../src/telemetry/metric-samples.ts';

const TEXT = `# HELP calls_total Calls.
# TYPE calls_total counter
calls_total{group="disk",code="OK"} 3
calls_total{group="disk",code="UNKNOWN"} 1
calls_total{group="volume",code="OK"} 2.5
calls_total_other{group="disk"} 100
in_flight 4
version{group="iscsi",version="v1alpha2",note="a \\"b\\", {c} = 1"} 1
`;

describe('MetricSamples', () => {
  const samples = new MetricSamples(TEXT);

  it('sums a metric over the samples that carry the labels, and no other metric', () => {
    expect(samples.sum('calls_total')).toBe(6.5);
    expect(samples.sum('calls_total', { group: 'disk' })).toBe(4);
    expect(samples.sum('calls_total', { group: 'disk', code: 'OK' })).toBe(3);
    expect(samples.sum('calls_total', { group: 'sk' })).toBe(0);
    expect(samples.sum('in_flight')).toBe(4);
    expect(samples.sum('nothing')).toBe(0);
  });

  it('gives the labels of every sample', () => {
    expect(samples.labelsOf('version')).toEqual([
      { group: 'iscsi', version: 'v1alpha2', note: 'a \\"b\\", {c} = 1' },
    ]);
    expect(samples.labelsOf('in_flight')).toEqual([{}]);
  });
});
