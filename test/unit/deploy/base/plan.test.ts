import { isNewer, planOf, type SeenPart } from '../../../../deploy/join/base/plan.ts';
import { partOf, PART_NAMES } from '../../../../deploy/join/base/parts.ts';

const { version } = partOf('knative').brings ?? { version: '' };
const seen = (more: Partial<SeenPart>): SeenPart => ({
  part: 'knative',
  isThere: false,
  version: null,
  ours: null,
  lacks: [],
  ...more,
});

describe('what is done for a part', () => {
  it.each<[string, Partial<SeenPart>, boolean, string, RegExp]>([
    ['it is not there', {}, false, 'create', /comes/],
    [
      'somebody else has installed it',
      { isThere: true, version: '1.16.0' },
      false,
      'keep',
      /1\.16\.0.*as it is/,
    ],
    ['it says no version', { isThere: true }, false, 'keep', /^knative is there, and this/],
    ['it is to be replaced', { isThere: true, version: '1.16.0' }, true, 'apply', /1\.16\.0.*replaced/],
    ['we have brought it', { isThere: true, ours: version }, false, 'create', /only what is missing/],
    ['we were interrupted before it was there', { ours: version }, false, 'create', /only what is missing/],
    ['we have brought an older one', { isThere: true, ours: '1.9.0' }, false, 'apply', /from 1\.9\.0 to/],
    ['a newer command has brought it', { isThere: true, ours: '1.99.0' }, true, 'keep', /newer/],
    [
      'it is ours, and to be replaced',
      { isThere: true, ours: version },
      true,
      'create',
      /only what is missing/,
    ],
    ['we do not bring it', { part: 'nfs' }, false, 'by-hand', /Run: helm upgrade --install/],
    ['we do not bring it, and it is there', { part: 'nfs', isThere: true }, false, 'keep', /nfs is there/],
  ])('when %s', (_case, more, isTakenOver, act, sentence) => {
    const [step] = planOf([seen(more)], isTakenOver ? ['knative'] : []);
    expect(step?.act).toBe(act);
    expect(step?.says.join('\n')).toMatch(sentence);
  });

  it('gives the commands for what a Knative of somebody else lacks', () => {
    const [step] = planOf([seen({ isThere: true, lacks: ['kubectl patch x'] })], []);
    expect(step?.says.at(-1)).toContain('kubectl patch x');
  });

  it('takes over only the parts that were named', () => {
    const both = [seen({ isThere: true }), seen({ part: 'cert-manager', isThere: true })];
    expect(planOf(both, ['cert-manager']).map(({ act }) => act)).toEqual(['keep', 'apply']);
  });
});

it('compares versions by their numbers', () => {
  expect(isNewer('1.10.0', '1.9.9')).toBe(true);
  expect(isNewer('1.9.9', '1.10.0')).toBe(false);
  expect(isNewer('1.9.9', '1.9.9')).toBe(false);
});

it('says for each part how it is installed by hand', () => {
  for (const part of PART_NAMES) expect(partOf(part).command).toMatch(/^(helm|cappstan) /);
});
