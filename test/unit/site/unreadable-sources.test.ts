// What a site says of sources that nobody can read: no webhook was asked about them there.
import { parseSpec } from '../../../crds/capp/capp.ts';
import type { KnativeSource } from '../../../crds/kubernetes/eventing.ts';
import { eventsReady } from '../../../site/events/status.ts';
import { aCapp } from '../../support/builders/capps.ts';
import { is } from '../../support/builders/site/knative.ts';

const labels = { 'rcs.dana.io/parent-capp': 'app', 'rcs.dana.io/managed-by': 'capp' };
const READY: KnativeSource = {
  metadata: { name: 'app-tick', generation: 1, labels },
  status: { observedGeneration: 1, conditions: [is('Ready', 'True')] },
};

function says(ping: object, sources: readonly KnativeSource[] = []) {
  const asked = [{ name: 'tick', pingSourceConfiguration: ping }];
  const capp = aCapp({ spec: { eventSourcesSpec: { sources: asked } } });
  return eventsReady({ ...capp, spec: parseSpec(capp.spec) }, { sources, most: 5, fault: null });
}

describe('a PingSource that nobody can read, on a site whose webhook was not asked', () => {
  it.each([
    [
      'a schedule in words',
      { schedule: 'every 5 minutes' },
      /schedule of the source tick .* cron can read: use/,
    ],
    ['an hour too many', { schedule: '0 25 * * *' }, /cron can read: use five fields/],
    ['a time zone that there is not', { schedule: 'CRON_TZ=Mars/Phobos 0 9 * * *' }, /CRON_TZ=Asia/],
    ['data that is no JSON', { data: 'not json' }, /data of the source tick .* is no JSON object: write/],
    ['data that is a number', { data: '5' }, /data of the source tick .* is no JSON object: write/],
    ['data that is a list', { data: '[{}]' }, /data of the source tick .* is no JSON object: write/],
  ])('with %s is named, with the remedy', (_what, ping, said) => {
    expect(says(ping)).toMatchObject({ status: 'False', reason: 'SourceNotReady' });
    expect(says(ping)?.message).toMatch(said);
  });

  it('is not one with an empty schedule or empty data, which Knative fills in and leaves out', () => {
    for (const ping of [{ schedule: '' }, { data: '' }])
      expect(says({ schedule: '* * * * *', ...ping })).toMatchObject({ status: 'Unknown' });
  });

  it('counts as Ready where Knative can read it all the same', () => {
    expect(says({ schedule: '0 9 * * 7' }, [READY])).toMatchObject({ status: 'True' });
  });
});
