// A Capp of a set that somebody has edited proves nothing, and of the record of writers only what others have
// written is kept.
import { memberOn } from '../../../activities/hub/set/targets.ts';
import { withOthersFields } from '../../../activities/hub/set/hand-edits.ts';
import { wantedBy } from '../../../activities/hub/set/wanted.ts';
import { CappSpec, type Capp } from '../../../crds/capp/capp.ts';
import { ABANDON, PRIORITY } from '../../../crds/labels.ts';
import { writtenAs } from '../../../crds/written.ts';
import { contentOf, render, revisionOf, type RenderedChild } from '../../../crds/set/render.ts';
import {
  WRITTEN,
  SITE,
  SHOP,
  REVISION,
  SPEC,
  CONTENT,
  aChild,
  seenOf,
  targetOf,
} from '../../support/builders/fleet/children.ts';

describe('a Capp that somebody has edited since the set wrote it', () => {
  const others = Object.fromEntries(Object.entries(SPEC).filter(([name]) => name !== 'configurationSpec'));

  test('proves nothing, although it is Ready, and what was changed is named', () => {
    const edited = {
      ...others,
      configurationSpec: { template: { spec: { containers: [{ name: 'other' }] } } },
    };
    const { target, problem } = memberOn(seenOf(aChild({ spec: edited })), SITE);
    expect(target).toMatchObject({ revision: REVISION, verdict: 'Failed', since: WRITTEN });
    expect(problem).toMatchObject({
      reason: 'Overridden',
      message: expect.stringContaining('spec.configurationSpec.template') as unknown,
    });
    expect(memberOn(seenOf(aChild({ spec: { ...SPEC, site: 'site-2' } })), SITE).problem?.message).toContain(
      'spec.site',
    );
  });

  test('a field less is a change as well, and what a webhook or the API server has added is none', () => {
    expect(targetOf(aChild({ spec: others })).verdict).toBe('Failed');
    expect(targetOf(aChild({ spec: { ...SPEC, scaleMetric: 'concurrency' } })).verdict).toBe('Ready');
  });

  test('a field more is a change where somebody else has written it, in an item of a list too', () => {
    const scaled = { ...SPEC, scaleSpec: { minReplicas: 2 } };
    // As an admission webhook adds it: the API server records no writer.
    expect(targetOf(aChild({ spec: scaled, others: { 'f:site': {} } })).verdict).toBe('Ready');
    const by = { 'f:scaleSpec': { '.': {}, 'f:minReplicas': {} } };
    const { target, problem } = memberOn(seenOf(aChild({ spec: scaled, others: by })), SITE);
    expect(target.verdict).toBe('Failed');
    expect(problem?.message).toContain('spec.scaleSpec');
    const { template } = (SPEC as unknown as Capp['spec']).configurationSpec;
    const [container] = template.spec.containers;
    const name = String(container?.name);
    const containers = [{ ...container, env: [{ name: 'MENDED', value: 'yes' }] }];
    const mended = { ...SPEC, configurationSpec: { template: { ...template, spec: { containers } } } };
    const item = { 'f:containers': { [`k:${JSON.stringify({ name })}`]: { 'f:env': {} } } };
    const written = { 'f:configurationSpec': { 'f:template': { 'f:spec': item } } };
    expect(targetOf(aChild({ spec: mended, others: written })).verdict).toBe('Failed');
    expect(targetOf(aChild({ spec: mended })).verdict).toBe('Ready');
    // Taken back, or put as the set has it.
    expect(targetOf(aChild({ others: written })).verdict).toBe('Ready');
    expect(targetOf(aChild({ others: { 'f:configurationSpec': {} } })).verdict).toBe('Ready');
  });

  test('a field that Capps do not have is dropped by the API server, and is no change', () => {
    const odd = {
      ...SHOP,
      spec: { ...SHOP.spec, overrides: [{ clusterSelector: {}, patch: { spec: { odd: 1 } } }] },
    };
    const rendered = render(odd.spec, SITE) as RenderedChild;
    const at = { revision: revisionOf(odd.spec), content: contentOf(rendered), at: WRITTEN };
    const known = {
      ...seenOf(aChild({ written: writtenAs(at), spec: CappSpec.parse(SPEC) })),
      set: odd,
      revision: at.revision,
    };
    expect(memberOn(known, SITE).target.verdict).toBe('Ready');
  });

  test('a label or an annotation that the set writes and its site gets is one of these, and others are not', () => {
    const VISIBILITY = 'networking.knative.dev/visibility';
    const [labels, annotations] = [
      { [VISIBILITY]: 'cluster-local' },
      { [PRIORITY]: '5', 'serving.knative.dev/x': '1' },
    ];
    const template = { ...SHOP.spec.template, metadata: { labels, annotations } };
    const marked = { ...SHOP, spec: { ...SHOP.spec, template } };
    const content = contentOf(render(marked.spec, SITE) as RenderedChild);
    const revision = revisionOf(marked.spec);
    const known = (marks: { labels?: object; annotations?: object }) => {
      const child = aChild({ written: writtenAs({ revision, content, at: WRITTEN }) });
      const metadata = {
        ...child.metadata,
        labels: { ...labels, ...marks.labels },
        annotations: { ...annotations, ...child.metadata.annotations, ...marks.annotations },
      };
      const seen = seenOf({ ...child, metadata });
      return memberOn({ ...seen, set: marked, wanted: wantedBy(marked.spec), revision }, SITE);
    };
    const own = { labels: { team: 'blue' }, annotations: { [PRIORITY]: '9', [ABANDON]: 'site-1' } };
    expect(known(own).target.verdict).toBe('Ready');
    const open = known({ labels: { [VISIBILITY]: 'external' } });
    expect(open.target.verdict).toBe('Failed');
    expect(open.problem?.message).toContain(`metadata.labels[${VISIBILITY}]`);
    const taken = known({ annotations: { 'serving.knative.dev/x': undefined } });
    expect(taken.problem?.message).toContain('metadata.annotations[serving.knative.dev/x]');
  });

  test('at an earlier revision it is as unknown as before, and one that is being deleted is only that', () => {
    const written = writtenAs({ revision: 'older', content: 'other', at: WRITTEN });
    expect(targetOf(aChild({ spec: others, written }))).toMatchObject({
      revision: 'older',
      verdict: 'Ready',
    });
    const same = writtenAs({ revision: 'older', content: CONTENT, at: WRITTEN });
    expect(targetOf(aChild({ spec: others, written: same }))).toMatchObject({ revision: 'older' });
    expect(targetOf(aChild({ spec: others, deleting: true }))).toMatchObject({ revision: null });
  });
});

test('a cache keeps of the record of writers what others have written of the spec, and nothing else', () => {
  const edited = aChild({ others: { 'f:scaleSpec': {} } });
  expect(withOthersFields(edited).metadata).toMatchObject({
    managedFields: [{ fieldsV1: { 'f:spec': { 'f:scaleSpec': {} } } }],
  });
  expect(withOthersFields(withOthersFields(edited))).toEqual(withOthersFields(edited));
  expect(withOthersFields(aChild()).metadata).not.toHaveProperty('managedFields');
});
