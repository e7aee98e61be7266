import {
  isNewer,
  planOf,
  type Release,
  type SeenPart,
  type WithHelm,
} from '../../../../deploy/join/base/plan.ts';
import { partOf, PART_NAMES } from '../../../../deploy/join/base/parts.ts';

const { version } = partOf('knative').brings ?? { version: '' };
const NO_HELM = { isThere: false, values: [] };
const at = (of: string | null, status = 'deployed'): { isThere: true; release: Release } => ({
  isThere: true,
  release: { version: of, status },
});
const HELM: WithHelm = { isThere: true, values: [] };
const seen = (more: Partial<SeenPart>): SeenPart => ({
  part: 'knative',
  isThere: false,
  version: null,
  ours: null,
  release: null,
  lacks: [],
  lacksFirst: null,
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
    ['it is a chart without a helm', { part: 'nfs' }, false, 'by-hand', /: helm upgrade --install/],
    ['it is a chart, and it is there', { part: 'nfs', isThere: true }, false, 'keep', /nfs is there/],
  ])('when %s', (_case, more, isTakenOver, act, sentence) => {
    const [step] = planOf([seen(more)], isTakenOver ? ['knative'] : [], NO_HELM);
    expect(step?.act).toBe(act);
    expect(step?.says.join('\n')).toMatch(sentence);
  });

  it.each<[string, Partial<SeenPart>, Partial<typeof HELM>, string, RegExp]>([
    ['it is not there', {}, {}, 'helm', /^nfs 0\.5\.2 comes: .*helm brings its chart\.$/],
    [
      'somebody else has installed it',
      { isThere: true, version: '9' },
      {},
      'keep',
      /^nfs is there \(9\), and this command has not brought it: it is left as it is\.$/,
    ],
    ['somebody else has a release', { ...at('0.5.1'), isThere: false }, {}, 'keep', /\(0\.5\.1\), .* left/],
    [
      'there are values for that of somebody else',
      at('0.5.1'),
      { values: ['nfs'] },
      'keep',
      /has not brought it[^]*\nWhat --values says for nfs is not used\.$/,
    ],
    ['we have brought it', { ...at('0.5.2'), ours: '0.5.2' }, {}, 'keep', /with the values that it has/],
    [
      'there are new values',
      { ...at('0.5.2'), ours: '0.5.2' },
      { values: ['nfs'] },
      'helm',
      /comes: [^\n]*$/,
    ],
    ['we were interrupted', { isThere: true, ours: 'begun' }, {}, 'helm', /^nfs 0\.5\.2 comes: /],
    ['helm failed', { ...at('0.5.2', 'failed'), ours: '0.5.2' }, {}, 'helm', /^nfs 0\.5\.2 comes: /],
    ['we have brought an older one', { ...at('0.4.9'), ours: '0.4.9' }, {}, 'helm', /instead of 0\.4\.9/],
    ['helm failed to bring a newer one', { ...at('0.5.2', 'failed'), ours: '0.4.9' }, {}, 'helm', /comes: /],
    ['a newer command has brought it', { ...at('0.6.0'), ours: '0.6.0' }, {}, 'keep', /newer cappstan/],
    [
      'a person has upgraded ours to a newer one',
      { ...at('0.9.0'), ours: '0.4.9' },
      {},
      'keep',
      /\(0\.9\.0\), which somebody has changed since this command brought 0\.4\.9: it is left/,
    ],
    [
      'a person has exchanged ours for one that is older than this command’s',
      { ...at('0.5.1'), ours: '0.4.9' },
      { values: ['nfs'] },
      'keep',
      /\(0\.5\.1\), which somebody has changed/,
    ],
    ['its release is of another chart', { ...at(null), ours: 'begun' }, {}, 'keep', /has not brought it/],
    ['its release is gone', { isThere: true, ours: '0.5.2' }, {}, 'helm', /^nfs 0\.5\.2 comes: /],
    ['that of a newer command is gone', { isThere: true, ours: '0.6.0' }, {}, 'helm', /^nfs 0\.5\.2 comes/],
    ['nobody can ask', { isThere: true, ours: '0.6.0' }, { isThere: false }, 'keep', /newer cappstan/],
    ['what it wants is missing', { lacksFirst: 'cert-manager' }, {}, 'by-hand', /cert-manager is not there/],
    ['there is no helm', {}, { isThere: false }, 'by-hand', /no helm \(3\.14 or newer\)\. .*: helm upgrade/],
  ])('of a chart, when %s', (_case, more, helm, act, sentence) => {
    const [step] = planOf([seen({ part: 'nfs', ...more })], [], { ...HELM, ...helm });
    expect(step?.act).toBe(act);
    expect(step?.says.join('\n')).toMatch(sentence);
  });

  it('gives the commands for what a Knative of somebody else lacks', () => {
    const [step] = planOf([seen({ isThere: true, lacks: ['kubectl patch x'] })], [], NO_HELM);
    expect(step?.says.at(-1)).toContain('kubectl patch x');
  });

  it('takes over only the parts that were named', () => {
    const both = [seen({ isThere: true }), seen({ part: 'cert-manager', isThere: true })];
    expect(planOf(both, ['cert-manager'], NO_HELM).map(({ act }) => act)).toEqual(['keep', 'apply']);
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
