// What the webhook of a site refuses of event sources and volumes.
import { refusals, template, kafka } from '../../support/builders/site/admission.ts';

const nfs = (volume: object = {}) => ({
  volumesSpec: { nfsVolumes: [{ name: 'data', server: 's', path: '/a', capacity: {}, ...volume }] },
});
const MOUNTED = template({}, { volumeMounts: [{ name: 'data', mountPath: '/data' }] });
const ping = (given: object) => ({
  eventSourcesSpec: { sources: [{ name: 'tick', pingSourceConfiguration: given }] },
});

describe('a Capp that is written on a site', () => {
  it('W-14 mounts each volume that it asks for, and leaves a volume where it is', () => {
    expect(refusals(nfs())).toEqual([
      'spec.volumesSpec.nfsVolumes[0].name: volume "data" must be mounted by at least one container: add it to the volumeMounts of one, or remove the volume',
    ]);
    const before = { ...MOUNTED, ...nfs() };
    expect(refusals(before)).toEqual([]);
    expect(refusals({ ...nfs(), state: 'disabled' }, nfs())).toEqual([]);
    expect(refusals({ ...MOUNTED, ...nfs({ server: 't', path: '/b' }) }, before)).toEqual([
      'spec.volumesSpec.nfsVolumes[0].server: the volume is there with s, and that cannot be changed: give the new volume another name',
      'spec.volumesSpec.nfsVolumes[0].path: the volume is there with /a, and that cannot be changed: give the new volume another name',
    ]);
  });

  it.each([
    '* * * * *',
    '*/5 1-3,7 * jan-MAR mon',
    '0 30 8 1 * ?',
    '@hourly',
    'CRON_TZ=Asia/Jerusalem 0 8 * * *',
    '0-30/10 * * * *',
  ])('may be called by the schedule %s', (schedule) => {
    expect(refusals(ping({ schedule, data: '{"a":1}' }))).toEqual([]);
  });

  it.each([
    'every hour',
    '* * * *',
    '60 * * * *',
    '* * 0 * *',
    '@every 5m',
    '5-1 * * * *',
    '*/0 * * * *',
    '1//2 * * * *',
  ])('is not called by %s, which is no schedule', (schedule) => {
    expect(refusals(ping({ schedule }))).toEqual([
      expect.stringContaining(
        `spec.eventSourcesSpec.sources[0].pingSourceConfiguration.schedule: "${schedule}" is no schedule`,
      ),
    ]);
  });

  it('is sent JSON objects, by as many consumers as the CappConfig allows', () => {
    expect(refusals(ping({ schedule: '* * * * *', data: '[1]' }))).toEqual([
      'spec.eventSourcesSpec.sources[0].pingSourceConfiguration.data: it must be a JSON object, such as {"key": "value"}',
    ]);
    expect(refusals(kafka({ consumers: 4 }))).toEqual([
      expect.stringContaining('consumers: 4 is above 3, the most'),
    ]);
    expect(refusals({ ...kafka({ consumers: 4 }), state: 'disabled' }, kafka({ consumers: 4 }))).toEqual([]);
  });

  it('W-35 does not change the consumer group of a Kafka source, which would have no effect', () => {
    const before = kafka({ consumerGroup: 'a' });
    expect(refusals(kafka({ consumerGroup: 'b' }), before)).toEqual([
      expect.stringContaining('consumerGroup: the group of a source that is there cannot be changed'),
    ]);
    expect(refusals(kafka({ consumerGroup: 'a', consumers: 2 }), before)).toEqual([]);
  });
});
