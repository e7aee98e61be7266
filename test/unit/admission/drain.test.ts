// What admission says to a Drain: which site it may name, what has no effect, and who asked for it.
import { applied } from '../../../admission/patch.ts';
import { PATHS } from '../../../admission/router.ts';
import type { Request } from '../../../admission/request.ts';
import { LAST_UPDATED_BY, REQUESTED_BY } from '../../../crds/labels.ts';
import { asked, judged, said } from '../../support/builders/admission.ts';

const aDrain = (spec: object, metadata: object = {}) => ({
  apiVersion: 'rcs.dana.io/v1alpha1',
  kind: 'Drain',
  metadata: { name: 'site-1', ...metadata },
  spec,
});
const cluster = { namespace: '', name: 'site-1' };
const creation = (spec: object, given: Partial<Request> = {}): Request =>
  asked(aDrain(spec), null, { ...cluster, ...given });
const annotationsAfter = (request: Request): unknown =>
  (
    applied(request.object, judged(PATHS.mutateDrain, request).patches) as {
      metadata: { annotations?: object };
    }
  ).metadata.annotations;

describe('a Drain', () => {
  it('of a site is fine', () => {
    expect(judged(PATHS.validateDrain, creation({ reason: 'new kernels' }))).toEqual({
      problems: [],
      patches: [],
      warnings: [],
    });
  });

  it.each([
    ['atlantis', '"atlantis" is no site'],
    ['', '"" is no site'],
    ['local-cluster', '"local-cluster" is the hub itself, which runs no Capps'],
  ])('named %j is refused, with the sites that there are', (name, what) => {
    expect(said(judged(PATHS.validateDrain, creation({}, { name })).problems)).toEqual([
      `metadata.name: ${what}: name the Drain as the site that it empties. Sites: site-1, site-2`,
    ]);
  });

  it('whose site has gone may still be changed, and may go', () => {
    const gone = { ...cluster, name: 'atlantis' };
    const change = asked(aDrain({ paused: true }), aDrain({ paused: false }), gone);
    expect(judged(PATHS.validateDrain, change).problems).toEqual([]);
  });

  it('with a share of a target above its width hears that this has no effect', () => {
    expect(judged(PATHS.validateDrain, creation({ width: 5, perTarget: 25 })).warnings).toEqual([
      'spec.perTarget 25 has no effect above spec.width 5: lower it, or raise spec.width.',
    ]);
    expect(judged(PATHS.validateDrain, creation({ width: 25, perTarget: 25 })).warnings).toEqual([]);
    expect(judged(PATHS.validateDrain, creation({ width: 'wide', perTarget: 25 })).warnings).toEqual([]);
  });
});

describe('who asks for a drain', () => {
  it('is written on it when it is created, whatever its author says', () => {
    expect(annotationsAfter(creation({}))).toEqual({ [REQUESTED_BY]: 'alice' });
    const forged = {
      annotations: { [REQUESTED_BY]: 'mallory', [LAST_UPDATED_BY]: 'mallory', other: 'stays' },
    };
    expect(annotationsAfter(asked(aDrain({}, forged), null, cluster))).toEqual({
      [REQUESTED_BY]: 'alice',
      other: 'stays',
    });
  });

  it('stays when another user changes it, who is named beside', () => {
    const before = aDrain({ width: 5 }, { annotations: { [REQUESTED_BY]: 'alice' } });
    const change = (metadata: object, spec: object): Request =>
      asked(aDrain(spec, metadata), before, { ...cluster, username: 'bob' });
    const both = { [REQUESTED_BY]: 'alice', [LAST_UPDATED_BY]: 'bob' };
    expect(annotationsAfter(change(before.metadata, { width: 6 }))).toEqual(both);
    expect(annotationsAfter(change({}, { width: 6 }))).toEqual(both);
    expect(annotationsAfter(change({ annotations: { [REQUESTED_BY]: 'bob' } }, { width: 6 }))).toEqual(both);
  });

  it('cannot be rewritten without a change of what is asked', () => {
    const annotations = { [REQUESTED_BY]: 'alice', [LAST_UPDATED_BY]: 'carol' };
    const before = aDrain({}, { annotations });
    const after = aDrain({}, { annotations: { [REQUESTED_BY]: 'bob', [LAST_UPDATED_BY]: 'bob' } });
    expect(annotationsAfter(asked(after, before, { ...cluster, username: 'bob' }))).toEqual(annotations);
  });

  it.each([[null], ['text'], [{}], [{ metadata: null }], [{ metadata: { annotations: 7 } }]])(
    'is asked of %j without a failure',
    (object) => {
      for (const path of [PATHS.mutateDrain, PATHS.validateDrain])
        expect(() => judged(path, asked(object, null, cluster))).not.toThrow();
    },
  );
});
