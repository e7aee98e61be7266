// The Jobs of a stage of a Bundle have to fit into a ManifestWork, and the webhook says so when they are
// written.
import { PATHS } from '../../../admission/router.ts';
import { asked, judged, KNOWN, said } from '../../support/builders/admission.ts';
import { aBundle } from '../../support/builders/fleet/bundles.ts';

const KIB = 1_024;
const job = (bytes: number) => {
  const containers = [{ name: 'ask', image: 'probe', args: ['x'.repeat(bytes)] }];
  return { template: { spec: { template: { spec: { restartPolicy: 'Never', containers } } } } };
};

function problems(...stages: readonly (readonly number[])[]): string[] {
  const bundle = aBundle();
  const written = stages.map((sizes, at) => ({
    name: `stage-${at}`,
    sites: { percent: 100 },
    verify: sizes.map((bytes, check) => ({ name: `check-${check}`, job: job(bytes) })),
  }));
  const strategy = { ...bundle.spec.strategy, stages: written };
  const object = { ...bundle, spec: { ...bundle.spec, strategy } };
  const found = judged(PATHS.validateBundle, asked(object, null, { namespace: 'apps', name: 'base' }), KNOWN);
  return said(found.problems).filter((one) => one.includes('KiB'));
}

test('the Jobs of a stage may have together what a work may carry', () => {
  expect(problems([250 * KIB, 245 * KIB], [490 * KIB])).toEqual([]);
});

test('more is refused when it is written, with the stage and what helps', () => {
  expect(problems([10 * KIB], [250 * KIB, 250 * KIB])).toEqual([
    'spec.strategy.stages[1].verify: has Jobs of 502 KiB, more than the 500 KiB that a ManifestWork may carry: keep what they read in ConfigMaps of the Bundle, or divide the checks among several stages',
  ]);
});
